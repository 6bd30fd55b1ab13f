// Numbers for `pawl verify`: published results and closed forms of the kinematic example models.
// Every reference was computed with 40 digits from the formula named in `source`, derivatives
// included, and rounded to 17; none comes from this program. Knows nothing of how a model is run.
#include "verification/verification_data.h"

#include <limits>

namespace pawl {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Sources.
constexpr std::string_view nikravesh = "Nikravesh 1988, slider-crank; recomputed in closed form";
constexpr std::string_view misprint =
    "Nikravesh 1988, slider-crank; the printed x3 disagrees with its own x4 and phi3; recomputed "
    "in closed form";
constexpr std::string_view two_circles = "closed form: intersection of two circles, differentiated";
constexpr std::string_view willis = "closed form: Willis, radii 30, 20, 70 mm";
constexpr std::string_view no_slip = "closed form: x = radius * angle";
constexpr std::string_view doubler = "closed form: x2 = 2 x1, angle = -x1 / radius";
constexpr std::string_view whitworth = "closed form: tan(lever) = (d + r sin w t) / (r cos w t)";
constexpr std::string_view sine = "closed form: x = r cos(w t + 30 deg)";
constexpr std::string_view ellipse = "closed form: ellipse with semi-axes 0.1 m and 0.3 m";
constexpr std::string_view inversion =
    "closed form: inversion, P.y = (L^2 - s^2)/(2 c) tan(crank/2)";
constexpr std::string_view cardan = "closed form: Cardan circles";
constexpr std::string_view cycloid = "closed form: cycloid";
constexpr std::string_view five_bar =
    "closed form: intersection of two circles, cranks geared 1:-1/2";
constexpr std::string_view cycloidal = "closed form: cycloidal law";
constexpr std::string_view harmonic = "closed form: harmonic law";
constexpr std::string_view poly345 = "closed form: poly345 law";
constexpr std::string_view poly4567 = "closed form: poly4567 law";
constexpr std::string_view modified_sine = "closed form: modified sine law";
constexpr std::string_view modified_trapezoid = "closed form: modified trapezoid law";
constexpr std::string_view clamped = "closed form: cubic spline by hand, clamped";
constexpr std::string_view periodic = "closed form: cubic spline by hand, periodic";
constexpr std::string_view natural = "closed form: cubic spline by hand, natural";
constexpr std::string_view spline = "closed form: cubic spline by hand";
constexpr std::string_view scissors = "closed form: height = 3 sqrt(arm^2 - width^2)";
constexpr std::string_view copy = "closed form: pen = 2 tracer";
constexpr std::string_view parallel = "closed form: the coupler moves in parallel";
constexpr std::string_view uprights = "closed form: all uprights parallel";
constexpr std::string_view cosine_rule = "closed form: cosine rule";
constexpr std::string_view wang_planar =
    "Wang 1996, appendix A, planar joint, corrected: the rotation turns about (q2, q3)";
constexpr std::string_view wang_rolling =
    "Wang 1996, appendix A, pure rolling, corrected: i = R1/R2, centre at (R1 + R2)(cos, sin)";
constexpr std::string_view line_up = "closed form: time at which crank and rod line up";

// Tolerances: a run solves its positions to rounding of the model's size, so a reference is met
// within 1e-10 of one SI unit, or of the number itself where that is greater (rounded up to a power
// of ten). The time of the dead point is wider: near it the crank's angle goes with the square root
// of the time left, and an angle known within 1e-4 rad gives that time within 1e-7 s. Its row is
// the time of the event, not a column: `at` is unused. One line each.
// clang-format off
constexpr VerificationRow rows[] = {
    // problem, model, column, at, unit, published, reference, tolerance, source
    {"K1", "slider_crank", "crank.x", 0, "mm", -86.6, -86.602540378443865, 1e-7, nikravesh},
    {"K1", "slider_crank", "crank.y", 0, "mm", 50.0, 50.0, 1e-7, nikravesh},
    {"K1", "slider_crank", "crank.angle", 0, "rad", 5.76, 5.7595865315812876, 1e-9, nikravesh},
    {"K1", "slider_crank", "rod.x", 0, "mm", -380.5, -467.1438498908691, 1e-7, misprint},
    {"K1", "slider_crank", "rod.y", 0, "mm", 40.0, 40.0, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.angle", 0, "rad", 0.2, 0.20135792079033079, 1e-10, nikravesh},
    {"K1", "slider_crank", "slider.x", 0, "mm", -663.1, -663.10302931352335, 1e-7, nikravesh},
    {"K1", "slider_crank", "slider.vx", 0, "mm/s", none, 162.42640687119285, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.omega", 0, "rad/s", none, 0.42426406871192851, 1e-10, nikravesh},
    {"K1", "slider_crank", "slider.ax", 0, "mm/s^2", none, 311.87730473088937, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.alpha", 0, "rad/s^2", none, -0.2571964229922337, 1e-10, nikravesh},
    {"K1", "slider_crank", "rod.x", 0.5, "mm", none, -366.29670075439387, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.y", 0.5, "mm", none, 72.133002677649504, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.angle", 0.5, "rad", none, 0.36898079689800666, 1e-10, nikravesh},
    {"K1", "slider_crank", "slider.x", 0.5, "mm", none, -552.83578492901452, 1e-7, nikravesh},
    {"K1", "slider_crank", "slider.vx", 0.5, "mm/s", none, 256.53200988542592, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.omega", 0.5, "rad/s", none, 0.2225500137950734, 1e-10, nikravesh},
    {"K1", "slider_crank", "slider.ax", 0.5, "mm/s^2", none, 50.678620912581121, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.alpha", 0.5, "rad/s^2", none, -0.53768294324615702, 1e-10, nikravesh},
    {"K1", "slider_crank", "rod.x", 1, "mm", none, -245.11883525535621, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.y", 1, "mm", none, 79.067872240478649, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.angle", 1, "rad", none, 0.40643728083804853, 1e-10, nikravesh},
    {"K1", "slider_crank", "slider.x", 1, "mm", none, -428.82586173873094, 1e-7, nikravesh},
    {"K1", "slider_crank", "slider.vx", 1, "mm/s", none, 221.48101201195779, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.omega", 1, "rad/s", none, -0.079539789115149595, 1e-10, nikravesh},
    {"K1", "slider_crank", "slider.ax", 1, "mm/s^2", none, -162.90370757822971, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.alpha", 1, "rad/s^2", none, -0.61705591305390201, 1e-10, nikravesh},
    {"K1", "slider_crank", "rod.x", 2, "mm", none, -103.608675956861, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.y", 2, "mm", none, 17.301713272616713, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.angle", 2, "rad", none, 0.086616832521747092, 1e-10, nikravesh},
    {"K1", "slider_crank", "slider.x", 2, "mm", none, -302.85889733147368, 1e-7, nikravesh},
    {"K1", "slider_crank", "slider.vx", 2, "mm/s", none, 31.558175047675015, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.omega", 2, "rad/s", none, -0.47040346697637413, 1e-10, nikravesh},
    {"K1", "slider_crank", "slider.ax", 2, "mm/s^2", none, -175.53649986850319, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.alpha", 2, "rad/s^2", none, -0.10582650226917193, 1e-10, nikravesh},
    {"K1", "slider_crank", "rod.x", 5, "mm", none, -492.88417527299452, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.y", 5, "mm", none, 19.048337893906251, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.angle", 5, "rad", none, 0.095386269652370086, 1e-10, nikravesh},
    {"K1", "slider_crank", "slider.x", 5, "mm", none, -691.97501088196869, 1e-7, nikravesh},
    {"K1", "slider_crank", "slider.vx", 5, "mm/s", none, 79.446994821845347, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.omega", 5, "rad/s", none, 0.46832392966446094, 1e-10, nikravesh},
    {"K1", "slider_crank", "slider.ax", 5, "mm/s^2", none, 383.32051695655905, 1e-7, nikravesh},
    {"K1", "slider_crank", "rod.alpha", 5, "rad/s^2", none, -0.11678983574188283, 1e-10, nikravesh},

    {"four-bar", "fourbar_closed_form", "coupler.angle", 0, "rad", none, 0.46457955431337222, 1e-10, two_circles},
    {"four-bar", "fourbar_closed_form", "coupler.omega", 0, "rad/s", none, -1.1879781283496072, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "coupler.alpha", 0, "rad/s^2", none, 14.198507559576298, 1e-8, two_circles},
    {"four-bar", "fourbar_closed_form", "coupler.angle", 0.35, "rad", none, 0.62528863205524034, 1e-10, two_circles},
    {"four-bar", "fourbar_closed_form", "coupler.omega", 0.35, "rad/s", none, 1.9288311067978677, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "coupler.alpha", 0.35, "rad/s^2", none,
     7.7891172495886578, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "rocker.angle", 0, "rad", none, 1.4530116432395254, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "rocker.omega", 0, "rad/s", none, 2.0697016979429828, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "rocker.alpha", 0, "rad/s^2", none, 19.027186026602303, 1e-8, two_circles},
    {"four-bar", "fourbar_closed_form", "rocker.angle", 0.35, "rad", none, 2.3946481396014133, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "rocker.omega", 0.35, "rad/s", none, 1.5938634816728034, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "rocker.alpha", 0.35, "rad/s^2", none,
     -12.212842925369836, 1e-8, two_circles},
    {"four-bar", "fourbar_closed_form", "rocker.angle", 0.8, "rad", none, 1.7243578685507434, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "rocker.omega", 0.8, "rad/s", none, -4.887968862270626, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "rocker.alpha", 0.8, "rad/s^2", none, 8.5259568292930813, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "P.x", 0.35, "m", none, -0.084005524876477702, 1e-10, two_circles},
    {"four-bar", "fourbar_closed_form", "P.x.rate", 0.35, "m/s", none, -0.38547973622884066, 1e-10, two_circles},
    {"four-bar", "fourbar_closed_form", "P.x.acceleration", 0.35, "m/s^2", none,
     5.3378524167093463, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "P.y", 0.35, "m", none, 0.24704626816067173, 1e-10, two_circles},
    {"four-bar", "fourbar_closed_form", "P.y.rate", 0.35, "m/s", none, -1.0281325880183181, 1e-9, two_circles},
    {"four-bar", "fourbar_closed_form", "P.y.acceleration", 0.35, "m/s^2", none,
     0.72339866701742177, 1e-10, two_circles},

    {"rocker drive", "dead_point_rocker", "crank.angle", 0.25, "rad", none, 3.1065236255186757, 1e-9, two_circles},
    {"rocker drive", "dead_point_rocker", "crank.omega", 0.25, "rad/s", none, 0.0, 1e-10, two_circles},
    {"rocker drive", "dead_point_rocker", "crank.alpha", 0.25, "rad/s^2", none,
     -58.145928394586795, 1e-8, two_circles},
    {"rocker drive", "dead_point_rocker", "crank.angle", 1.4, "rad", none, 2.6127863298662684, 1e-9, two_circles},
    {"rocker drive", "dead_point_rocker", "crank.omega", 1.4, "rad/s", none, -5.2181824038312308, 1e-9, two_circles},
    {"rocker drive", "dead_point_rocker", "crank.alpha", 1.4, "rad/s^2", none,
     -10.311909554113154, 1e-8, two_circles},

    {"planetary gear", "planetary_gear", "carrier.angle", 2, "rad", none, 9.0, 1e-9, willis},
    {"planetary gear", "planetary_gear", "carrier.omega", 2, "rad/s", none, 6.0, 1e-9, willis},
    {"planetary gear", "planetary_gear", "carrier.alpha", 2, "rad/s^2", none, 1.5, 1e-9, willis},
    {"planetary gear", "planetary_gear", "planet.angle", 0.5, "rad", none, -4.21875, 1e-9, willis},
    {"planetary gear", "planetary_gear", "planet.omega", 0.5, "rad/s", none, -9.375, 1e-9, willis},
    {"planetary gear", "planetary_gear", "planet.alpha", 0.5, "rad/s^2", none, -3.75, 1e-9, willis},
    {"planetary gear", "planetary_gear", "planet.x", 2, "m", none, -0.045556513094233849, 1e-10, willis},
    {"planetary gear", "planetary_gear", "planet.vx", 2, "m/s", none, -0.12363554557252697, 1e-10, willis},
    {"planetary gear", "planetary_gear", "planet.ax", 2, "m/s^2", none, 1.6091255849992868, 1e-9, willis},
    {"planetary gear", "planetary_gear", "tooth.y", 2, "mm", none, 30.349414511298019, 1e-7, willis},
    {"planetary gear", "planetary_gear", "tooth.y.rate", 2, "mm/s", none, -11.347686537348411, 1e-7, willis},
    {"planetary gear", "planetary_gear", "tooth.y.acceleration", 2, "mm/s^2", none,
     -2936.9355011417918, 1e-6, willis},

    {"rack and pinion", "rack_pinion", "rack.x", 0.1, "m", none, 0.023082272881130709, 1e-10, no_slip},
    {"rack and pinion", "rack_pinion", "rack.vx", 0.1, "m/s", none, 0.19961694220597665, 1e-10, no_slip},
    {"rack and pinion", "rack_pinion", "rack.ax", 0.1, "m/s^2", none, -0.9112516080590128, 1e-10, no_slip},
    {"rack and pinion", "rack_pinion", "rack.x", 1.35, "m", none, 0.031770023076970374, 1e-10, no_slip},
    {"rack and pinion", "rack_pinion", "rack.vx", 1.35, "m/s", none, -0.1450301978230303, 1e-10, no_slip},
    {"rack and pinion", "rack_pinion", "rack.ax", 1.35, "m/s^2", none, -1.2542302383327092, 1e-9, no_slip},

    {"rolling pinion", "rolling_pinion", "upper.x", 0.2, "m", none, 0.035267115137548388, 1e-10, doubler},
    {"rolling pinion", "rolling_pinion", "upper.vx", 0.2, "m/s", none, 0.15249611076945779, 1e-10, doubler},
    {"rolling pinion", "rolling_pinion", "upper.ax", 0.2, "m/s^2", none, -0.34807247477527271, 1e-10, doubler},
    {"rolling pinion", "rolling_pinion", "upper.x", 1.7, "m", none, -0.048541019662496845, 1e-10, doubler},
    {"rolling pinion", "rolling_pinion", "upper.vx", 1.7, "m/s", none, 0.11079490982942741, 1e-10, doubler},
    {"rolling pinion", "rolling_pinion", "upper.ax", 1.7, "m/s^2", none, 0.47908066129434396, 1e-10, doubler},
    {"rolling pinion", "rolling_pinion", "pinion.angle", 1.7, "rad", none, 0.60676274578121057, 1e-10, doubler},
    {"rolling pinion", "rolling_pinion", "pinion.omega", 1.7, "rad/s", none, -1.3849363728678426, 1e-9, doubler},
    {"rolling pinion", "rolling_pinion", "pinion.alpha", 1.7, "rad/s^2", none, -5.9885082661792995, 1e-9, doubler},

    {"quick return", "quick_return", "lever.angle", 0.4, "rad", none, 1.8737988121070447, 1e-9, whitworth},
    {"quick return", "quick_return", "lever.omega", 0.4, "rad/s", none, 1.8595089676677289, 1e-9, whitworth},
    {"quick return", "quick_return", "lever.alpha", 0.4, "rad/s^2", none, -3.5461665164668745, 1e-9, whitworth},
    {"quick return", "quick_return", "lever.angle", 1.75, "rad", none, 1.5707963267948966, 1e-9, whitworth},
    {"quick return", "quick_return", "lever.omega", 1.75, "rad/s", none, -6.2831853071795865, 1e-9, whitworth},
    {"quick return", "quick_return", "lever.alpha", 1.75, "rad/s^2", none, 0.0, 1e-10, whitworth},
    {"quick return", "quick_return", "ram.x", 0.4, "m", none, -0.14919362704208551, 1e-10, whitworth},
    {"quick return", "quick_return", "ram.vx", 0.4, "m/s", none, -0.88739941534503383, 1e-10, whitworth},
    {"quick return", "quick_return", "ram.ax", 0.4, "m/s^2", none, 2.2081880390205969, 1e-9, whitworth},
    {"quick return", "quick_return", "ram.x", 1.75, "m", none, 0.0, 1e-10, whitworth},
    {"quick return", "quick_return", "ram.vx", 1.75, "m/s", none, 3.1415926535897932, 1e-9, whitworth},
    {"quick return", "quick_return", "ram.ax", 1.75, "m/s^2", none, 0.0, 1e-10, whitworth},
    {"quick return", "quick_return", "block_place", 0.4, "m", none, 0.27112987679652518, 1e-10, whitworth},
    {"quick return", "quick_return", "block_place.rate", 0.4, "m/s", none, -0.37496448214226507, 1e-10, whitworth},
    {"quick return", "quick_return", "block_place.acceleration", 0.4, "m/s^2", none,
     -2.2302779872382687, 1e-9, whitworth},

    {"scotch yoke", "scotch_yoke", "yoke.x", 0.1, "m", none, -0.010395584540887967, 1e-10, sine},
    {"scotch yoke", "scotch_yoke", "yoke.vx", 0.1, "m/s", none, -0.61458826331836121, 1e-10, sine},
    {"scotch yoke", "scotch_yoke", "yoke.ax", 0.1, "m/s^2", none, 1.64160491098631, 1e-9, sine},
    {"scotch yoke", "scotch_yoke", "yoke.x", 0.666, "m", none, -0.043090313612737752, 1e-10, sine},
    {"scotch yoke", "scotch_yoke", "yoke.vx", 0.666, "m/s", none, -0.31870676265286491, 1e-10, sine},
    {"scotch yoke", "scotch_yoke", "yoke.ax", 0.666, "m/s^2", none, 6.8045495820255556, 1e-9, sine},
    {"scotch yoke", "scotch_yoke", "pin_place", 0.1, "m", none, 0.048907380036690282, 1e-10, sine},
    {"scotch yoke", "scotch_yoke", "pin_place.rate", 0.1, "m/s", none, -0.13063476809370104, 1e-10, sine},
    {"scotch yoke", "scotch_yoke", "pin_place.acceleration", 0.1, "m/s^2", none, -7.7231438920938919, 1e-9, sine},

    {"elliptic trammel", "elliptic_trammel", "P.x", 0.5, "m", none, -0.085398597659946324, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "P.x.rate", 0.5, "m/s", none, -0.052029602321319065, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "P.x.acceleration", 0.5, "m/s^2", none,
     0.085398597659946324, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "P.y", 0.5, "m", none, 0.1560888069639572, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "P.y.rate", 0.5, "m/s", none, -0.25619579297983897, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "P.y.acceleration", 0.5, "m/s^2", none,
     -0.1560888069639572, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "P.y", 4, "m", none, -0.056301219910670372, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "P.y.rate", 4, "m/s", none, 0.29466959910477758, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "P.y.acceleration", 4, "m/s^2", none,
     0.056301219910670372, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "rod.x", 4, "m", none, -0.19644639940318505, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "rod.vx", 4, "m/s", none, -0.037534146607113582, 1e-10, ellipse},
    {"elliptic trammel", "elliptic_trammel", "rod.ax", 4, "m/s^2", none, 0.19644639940318505, 1e-10, ellipse},

    {"Peaucellier", "peaucellier", "P.x", 0.7, "m", none, 0.53333333333333333, 1e-10, inversion},
    {"Peaucellier", "peaucellier", "P.x.rate", 0.7, "m/s", none, 0.0, 1e-10, inversion},
    {"Peaucellier", "peaucellier", "P.x.acceleration", 0.7, "m/s^2", none, 0.0, 1e-10, inversion},
    {"Peaucellier", "peaucellier", "P.y", 0.1, "m", none, 0.16952716381526087, 1e-10, inversion},
    {"Peaucellier", "peaucellier", "P.y.rate", 0.1, "m/s", none, 1.5629203301964298, 1e-9, inversion},
    {"Peaucellier", "peaucellier", "P.y.acceleration", 0.1, "m/s^2", none, -4.4902335893355208, 1e-9, inversion},
    {"Peaucellier", "peaucellier", "P.y", 0.7, "m", none, -0.28995849954466042, 1e-10, inversion},
    {"Peaucellier", "peaucellier", "P.y.rate", 0.7, "m/s", none, -0.7024632882383553, 1e-10, inversion},
    {"Peaucellier", "peaucellier", "P.y.acceleration", 0.7, "m/s^2", none, 12.807475279851636, 1e-8, inversion},
    {"Peaucellier", "peaucellier", "power", 0.7, "m^2", none, 0.16, 1e-10, inversion},

    {"Cardan gear", "hypocycloid", "rim.x", 0.3, "m", none, 0.049177833078073559, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "rim.x.rate", 0.3, "m/s", none, -0.2936910401240711, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "rim.x.acceleration", 0.3, "m/s^2", none, -0.43672069064330783, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "rim.x", 3.5, "m", none, -0.062217154211589469, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "rim.x.rate", 3.5, "m/s", none, 0.21252695520269018, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "rim.x.acceleration", 3.5, "m/s^2", none, 0.58247328026255167, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "rim.y", 3.5, "m", none, 0.0, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "rim.y.rate", 3.5, "m/s", none, 0.0, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "rim.y.acceleration", 3.5, "m/s^2", none, 0.0, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "inner.y", 0.3, "m", none, 0.017414408670690066, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "inner.y.rate", 0.3, "m/s", none, 0.033175031597957896, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "inner.y.acceleration", 0.3, "m/s^2", none, -0.21199001265299143, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "inner.y", 3.5, "m", none, -0.015657618876203744, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "inner.y.rate", 3.5, "m/s", none, -0.033779906001061819, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "inner.y.acceleration", 3.5, "m/s^2", none, 0.095684863241724636, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "pinion.y", 3.5, "m", none, -0.03914404719050936, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "pinion.vy", 3.5, "m/s", none, -0.084449765002654548, 1e-10, cardan},
    {"Cardan gear", "hypocycloid", "pinion.ay", 3.5, "m/s^2", none, 0.23921215810431159, 1e-10, cardan},

    {"cycloid", "cycloid", "rim.x", 0.7, "m", none, 0.097310123926176415, 1e-10, cycloid},
    {"cycloid", "cycloid", "rim.x.rate", 0.7, "m/s", none, 0.64483178716452111, 1e-10, cycloid},
    {"cycloid", "cycloid", "rim.x.acceleration", 0.7, "m/s^2", none, 3.3056886481805468, 1e-9, cycloid},
    {"cycloid", "cycloid", "rim.x", 2.5, "m", none, 3.7643413282827861, 1e-9, cycloid},
    {"cycloid", "cycloid", "rim.x.rate", 2.5, "m/s", none, 0.30891164261470774, 1e-10, cycloid},
    {"cycloid", "cycloid", "rim.x.acceleration", 2.5, "m/s^2", none, -11.172235871418747, 1e-8, cycloid},
    {"cycloid", "cycloid", "rim.y", 0.7, "m", none, 0.21494392905484037, 1e-10, cycloid},
    {"cycloid", "cycloid", "rim.y.rate", 0.7, "m/s", none, 0.86306962822147075, 1e-10, cycloid},
    {"cycloid", "cycloid", "rim.y.acceleration", 0.7, "m/s^2", none, 1.7244708920858486, 1e-9, cycloid},
    {"cycloid", "cycloid", "rim.y", 2.5, "m", none, 0.034323515846078637, 1e-10, cycloid},
    {"cycloid", "cycloid", "rim.y.rate", 2.5, "m/s", none, -1.2540719545450751, 1e-9, cycloid},
    {"cycloid", "cycloid", "rim.y.acceleration", 2.5, "m/s^2", none, 21.055324122191677, 1e-8, cycloid},
    {"cycloid", "cycloid", "wheel.angle", 2.5, "rad", none, -12.083333333333333, 1e-8, cycloid},
    {"cycloid", "cycloid", "wheel.omega", 2.5, "rad/s", none, -9.0, 1e-9, cycloid},
    {"cycloid", "cycloid", "wheel.alpha", 2.5, "rad/s^2", none, -3.3333333333333333, 1e-9, cycloid},

    {"geared five-bar", "geared_fivebar", "P.x", 0.3, "m", none, 0.14636209957339827, 1e-10, five_bar},
    {"geared five-bar", "geared_fivebar", "P.x.rate", 0.3, "m/s", none, 0.11938614315471084, 1e-10, five_bar},
    {"geared five-bar", "geared_fivebar", "P.x.acceleration", 0.3, "m/s^2", none,
     0.92376689580942196, 1e-10, five_bar},
    {"geared five-bar", "geared_fivebar", "P.x", 1.45, "m", none, 0.060148073804113956, 1e-10, five_bar},
    {"geared five-bar", "geared_fivebar", "P.x.rate", 1.45, "m/s", none, -0.34658893579907668, 1e-10, five_bar},
    {"geared five-bar", "geared_fivebar", "P.x.acceleration", 1.45, "m/s^2", none,
     1.6459348918403687, 1e-9, five_bar},
    {"geared five-bar", "geared_fivebar", "P.y", 0.3, "m", none, 0.14533010577859093, 1e-10, five_bar},
    {"geared five-bar", "geared_fivebar", "P.y.rate", 0.3, "m/s", none, -0.43103596229613642, 1e-10, five_bar},
    {"geared five-bar", "geared_fivebar", "P.y.acceleration", 0.3, "m/s^2", none, 3.6761475154796201, 1e-9, five_bar},
    {"geared five-bar", "geared_fivebar", "P.y", 1.45, "m", none, 0.19074347438303287, 1e-10, five_bar},
    {"geared five-bar", "geared_fivebar", "P.y.rate", 1.45, "m/s", none, 0.10696333272653428, 1e-10, five_bar},
    {"geared five-bar", "geared_fivebar", "P.y.acceleration", 1.45, "m/s^2", none,
     -0.015822283477100002, 1e-10, five_bar},
    {"geared five-bar", "geared_fivebar", "crank_2.angle", 1.45, "rad", none, -2.9845130209103036, 1e-9, five_bar},
    {"geared five-bar", "geared_fivebar", "crank_2.omega", 1.45, "rad/s", none, -3.1415926535897932, 1e-9, five_bar},
    {"geared five-bar", "geared_fivebar", "crank_2.alpha", 1.45, "rad/s^2", none, 0.0, 1e-10, five_bar},

    {"cam laws", "cam_law", "follower1.y", 0.26, "m", none, 0.050972693085437372, 1e-10, cycloidal},
    {"cam laws", "cam_law", "follower1.vy", 0.26, "m/s", none, 0.046065533708336838, 1e-10, cycloidal},
    {"cam laws", "cam_law", "follower1.ay", 0.26, "m/s^2", none, 1.3279254065518026, 1e-9, cycloidal},
    {"cam laws", "cam_law", "follower1.y", 0.8, "m", none, 0.06, 1e-10, harmonic},
    {"cam laws", "cam_law", "follower1.vy", 0.8, "m/s", none, -0.078539816339744831, 1e-10, harmonic},
    {"cam laws", "cam_law", "follower1.ay", 0.8, "m/s^2", none, 0.0, 1e-10, harmonic},
    {"cam laws", "cam_law", "follower1.y", 1.71, "m", none, 0.066494480483301837, 1e-10, harmonic},
    {"cam laws", "cam_law", "follower1.vy", 1.71, "m/s", none, -0.059722144881872756, 1e-10, harmonic},
    {"cam laws", "cam_law", "follower1.ay", 1.71, "m/s^2", none, -0.40061220725490469, 1e-10, harmonic},
    {"cam laws", "cam_law", "follower2.y", 0.26, "m", none, 0.0511584, 1e-10, poly345},
    {"cam laws", "cam_law", "follower2.vy", 0.26, "m/s", none, 0.0512, 1e-10, poly345},
    {"cam laws", "cam_law", "follower2.ay", 0.26, "m/s^2", none, 1.28, 1e-9, poly345},
    {"cam laws", "cam_law", "follower2.y", 0.72, "m", none, 0.06747928, 1e-10, poly4567},
    {"cam laws", "cam_law", "follower2.vy", 0.72, "m/s", none, -0.064827, 1e-10, poly4567},
    {"cam laws", "cam_law", "follower2.ay", 0.72, "m/s^2", none, -0.9261, 1e-10, poly4567},
    {"cam laws", "cam_law", "follower2.y", 1.35, "m", none, 0.06, 1e-10, poly345},
    {"cam laws", "cam_law", "follower2.vy", 1.35, "m/s", none, 0.125, 1e-10, poly345},
    {"cam laws", "cam_law", "follower2.ay", 1.35, "m/s^2", none, 0.0, 1e-10, poly345},
    {"cam laws", "cam_law", "follower3.y", 0.23, "m", none, 0.050213944255828678, 1e-10, modified_sine},
    {"cam laws", "cam_law", "follower3.vy", 0.23, "m/s", none, 0.020264267272239263, 1e-10, modified_sine},
    {"cam laws", "cam_law", "follower3.ay", 0.23, "m/s^2", none, 1.1683110208312946, 1e-9, modified_sine},
    {"cam laws", "cam_law", "follower3.y", 0.41, "m", none, 0.066442244747425574, 1e-10, modified_sine},
    {"cam laws", "cam_law", "follower3.vy", 0.41, "m/s", none, 0.088196947128946832, 1e-10, modified_sine},
    {"cam laws", "cam_law", "follower3.ay", 0.41, "m/s^2", none, -0.91290504276355911, 1e-10, modified_sine},
    {"cam laws", "cam_law", "follower3.y", 0.64, "m", none, 0.069810818718834474, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.vy", 0.64, "m/s", none, -0.013439084971902961, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.ay", 0.64, "m/s^2", none, -0.58111024463509188, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.y", 0.7, "m", none, 0.067910396120616811, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.vy", 0.7, "m/s", none, -0.05, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.ay", 0.7, "m/s^2", none, -0.61101547035165729, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.y", 0.82, "m", none, 0.058025093670602754, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.vy", 0.82, "m/s", none, -0.096285528269305607, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.ay", 0.82, "m/s^2", none, 0.35914588239525302, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.y", 0.9, "m", none, 0.052089603879383189, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.vy", 0.9, "m/s", none, -0.05, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.ay", 0.9, "m/s^2", none, 0.61101547035165729, 1e-10, modified_trapezoid},
    {"cam laws", "cam_law", "follower3.y", 1.48, "m", none, 0.069933759022623388, 1e-10, modified_sine},
    {"cam laws", "cam_law", "follower3.vy", 1.48, "m/s", none, 0.0097033150893237338, 1e-10, modified_sine},
    {"cam laws", "cam_law", "follower3.ay", 1.48, "m/s^2", none, -0.91290504276355911, 1e-10, modified_sine},

    {"tables", "table_driven", "carriage.x", 0.6, "mm", none, 60.48, 1e-7, clamped},
    {"tables", "table_driven", "carriage.vx", 0.6, "mm/s", none, 158.4, 1e-7, clamped},
    {"tables", "table_driven", "carriage.ax", 0.6, "mm/s^2", none, 48.0, 1e-7, clamped},
    {"tables", "table_driven", "carriage.x", 1.2, "mm", none, 139.2, 1e-7, clamped},
    {"tables", "table_driven", "carriage.vx", 1.2, "mm/s", none, 72.0, 1e-7, clamped},
    {"tables", "table_driven", "carriage.ax", 1.2, "mm/s^2", none, -240.0, 1e-7, clamped},
    {"tables", "table_driven", "carriage.x", 2.3, "mm", none, 76.44, 1e-7, clamped},
    {"tables", "table_driven", "carriage.vx", 2.3, "mm/s", none, -159.6, 1e-7, clamped},
    {"tables", "table_driven", "carriage.ax", 2.3, "mm/s^2", none, -24.0, 1e-7, clamped},
    {"tables", "table_driven", "beam.y", 0.2, "mm", none, 22.72, 1e-7, periodic},
    {"tables", "table_driven", "beam.vy", 0.2, "mm/s", none, 100.8, 1e-7, periodic},
    {"tables", "table_driven", "beam.ay", 0.2, "mm/s^2", none, -192.0, 1e-7, periodic},
    {"tables", "table_driven", "beam.y", 2.8, "mm", none, 22.72, 1e-7, periodic},
    {"tables", "table_driven", "beam.vy", 2.8, "mm/s", none, -100.8, 1e-7, periodic},
    {"tables", "table_driven", "beam.ay", 2.8, "mm/s^2", none, -192.0, 1e-7, periodic},
    {"tables", "table_driven", "head.angle", 2.1, "rad", none, 1.2440706908215581, 1e-9, natural},
    {"tables", "table_driven", "head.omega", 2.1, "rad/s", none, -1.0053096491487338, 1e-9, natural},
    {"tables", "table_driven", "head.alpha", 2.1, "rad/s^2", none, -1.2566370614359173, 1e-9, natural},
    {"tables", "table_driven", "tip.x", 0.6, "mm", none, 115.21843711154573, 1e-7, spline},
    {"tables", "table_driven", "tip.x.rate", 0.6, "mm/s", none, 131.88873677215246, 1e-7, spline},
    {"tables", "table_driven", "tip.x.acceleration", 0.6, "mm/s^2", none, -30.466973295933105, 1e-7, spline},

    {"scissor lift", "scissor_lift", "platform.y", 1.4, "m", none, 2.4747959664554167, 1e-9, scissors},
    {"scissor lift", "scissor_lift", "platform.vy", 1.4, "m/s", none, 0.54390079143692062, 1e-10, scissors},
    {"scissor lift", "scissor_lift", "platform.ay", 1.4, "m/s^2", none, -1.4101521540477175, 1e-9, scissors},

    {"pantograph", "pantograph", "pen.x", 0.3, "mm", none, 248.54101966249685, 1e-7, copy},
    {"pantograph", "pantograph", "pen.x.rate", 0.3, "mm/s", none, 110.79490982942741, 1e-7, copy},
    {"pantograph", "pantograph", "pen.x.acceleration", 0.3, "mm/s^2", none, -479.08066129434396, 1e-7, copy},
    {"pantograph", "pantograph", "pen.y", 0.3, "mm", none, 238.04226065180614, 1e-7, copy},
    {"pantograph", "pantograph", "pen.y.rate", 0.3, "mm/s", none, -77.664441549018663, 1e-7, copy},
    {"pantograph", "pantograph", "pen.y.acceleration", 0.3, "mm/s^2", none, -1501.8482526258178, 1e-6, copy},

    {"parallelogram", "parallelogram", "follower.angle", 3, "rad", none, 19.896753472735357, 1e-8, parallel},
    {"parallelogram", "parallelogram", "follower.omega", 3, "rad/s", none, 6.2831853071795865, 1e-9, parallel},
    {"parallelogram", "parallelogram", "follower.alpha", 3, "rad/s^2", none, 0.0, 1e-10, parallel},
    {"parallelogram", "parallelogram", "coupler.x", 2.9, "m", none, 0.09135454576426009, 1e-10, parallel},
    {"parallelogram", "parallelogram", "coupler.vx", 2.9, "m/s", none, -0.25556016996654156, 1e-10, parallel},
    {"parallelogram", "parallelogram", "coupler.ax", 2.9, "m/s^2", none, -3.6065329077378424, 1e-9, parallel},

    {"ladder", "ladder3", "upright_3.angle", 3.6, "rad", none, 0.57485227188104464, 1e-10, uprights},
    {"ladder", "ladder3", "upright_3.omega", 3.6, "rad/s", none, 1.0166251625647956, 1e-9, uprights},
    {"ladder", "ladder3", "upright_3.alpha", 3.6, "rad/s^2", none, 9.8295738276165354, 1e-9, uprights},
    {"ladder", "ladder3", "coupler_3.y", 3.6, "m", none, 0.54371081244959941, 1e-10, uprights},
    {"ladder", "ladder3", "coupler_3.vy", 3.6, "m/s", none, 0.85322567691295759, 1e-10, uprights},
    {"ladder", "ladder3", "coupler_3.ay", 3.6, "m/s^2", none, 7.6877526538684013, 1e-9, uprights},

    {"W-A", "planar_joint", "P.x.rate", 0.4, "m/s", none, 0.170178815674057125, 1e-10, wang_planar},
    {"W-A", "planar_joint", "P.y.rate", 0.4, "m/s", none, -0.401078160265671791, 1e-10, wang_planar},
    {"W-A", "planar_joint", "P.x.acceleration", 0.4, "m/s^2", none, 1.20978647677023415, 1e-10, wang_planar},
    {"W-A", "planar_joint", "P.y.acceleration", 0.4, "m/s^2", none, -3.4106971429200165, 1e-10, wang_planar},
    {"W-A", "planar_joint", "P.x.rate", 1.3, "m/s", none, 0.435864716906543176, 1e-10, wang_planar},
    {"W-A", "planar_joint", "P.y.rate", 1.3, "m/s", none, -0.485132063810881134, 1e-10, wang_planar},
    {"W-A", "planar_joint", "P.x.acceleration", 1.3, "m/s^2", none, 0.035710876340528888, 1e-10, wang_planar},
    {"W-A", "planar_joint", "P.y.acceleration", 1.3, "m/s^2", none, -2.47416919708710701, 1e-10, wang_planar},
    {"W-A", "epicycloid", "wheel.x", 0.5, "m", none, 0.0378211614107697802, 1e-10, wang_rolling},
    {"W-A", "epicycloid", "wheel.y", 0.5, "m", none, 0.0589029689365527555, 1e-10, wang_rolling},
    {"W-A", "epicycloid", "wheel.vx", 0.5, "m/s", none, -0.117805937873105511, 1e-10, wang_rolling},
    {"W-A", "epicycloid", "wheel.ay", 0.5, "m/s^2", none, -0.235611875746211022, 1e-10, wang_rolling},
    {"W-A", "epicycloid", "rim.x", 0.5, "m", none, 0.056550295156585707, 1e-10, wang_rolling},
    {"W-A", "epicycloid", "wheel.x", 2.7, "m", none, 0.0444285013159844054, 1e-10, wang_rolling},
    {"W-A", "epicycloid", "wheel.y", 2.7, "m", none, -0.0540935141289191154, 1e-10, wang_rolling},
    {"W-A", "epicycloid", "wheel.vx", 2.7, "m/s", none, 0.108187028257838231, 1e-10, wang_rolling},
    {"W-A", "epicycloid", "wheel.ay", 2.7, "m/s^2", none, 0.216374056515676461, 1e-10, wang_rolling},
    {"W-A", "epicycloid", "rim.x", 2.7, "m", none, 0.0244539419711143743, 1e-10, wang_rolling},

    {"slider drive", "slider_driven", "crank.angle", 2, "rad", none, 1.1861620808170957, 1e-9, cosine_rule},
    {"slider drive", "slider_driven", "crank.omega", 2, "rad/s", none, -0.19068769259864436, 1e-10, cosine_rule},
    {"slider drive", "slider_driven", "crank.alpha", 2, "rad/s^2", none, -0.0044595913542648573, 1e-10, cosine_rule},
    {"slider drive", "slider_driven", "crank.angle", 5.5, "rad", none, 0.33014809783682092, 1e-10, cosine_rule},
    {"slider drive", "slider_driven", "crank.omega", 5.5, "rad/s", none, -0.46837266993705758, 1e-10, cosine_rule},
    {"slider drive", "slider_driven", "crank.alpha", 5.5, "rad/s^2", none, -0.62386737574587022, 1e-10, cosine_rule},
    {"slider drive", "slider_driven", "rod.angle", 5, "rad", none, -0.16545802174304648, 1e-10, cosine_rule},
    {"slider drive", "slider_driven", "rod.omega", 5, "rad/s", none, 0.091918425187646089, 1e-10, cosine_rule},
    {"slider drive", "slider_driven", "rod.alpha", 5, "rad/s^2", none, 0.062138978444969777, 1e-10, cosine_rule},
    {"slider drive", "slider_driven", "t@dead_point:1", 0, "s", none, 5.8578643762690495, 1e-7, line_up},
};
// clang-format on

}  // namespace

std::span<const VerificationRow> verification_rows() { return rows; }

}  // namespace pawl
