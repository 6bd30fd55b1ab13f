// What one measured quantity alone shows of a motion: its spectrum, its delays, and an estimate
// of the largest Lyapunov exponent. Knows numbers at equal steps of time, not where they come from.
#pragma once

#include <span>
#include <vector>

namespace pawl {

// Samples at equal steps, from samples at any rising times, by straight lines between neighbours;
// of two at one time the second counts from there on.
std::vector<double> at_equal_steps(std::span<const double> times, std::span<const double> values,
                                   double step);

struct SpectrumPeak {
    double frequency = 0;  // Hz
    double amplitude = 0;  // of the sine wave, in the unit of the values
};
struct Spectrum {
    double step = 0;                  // Hz between lines
    std::vector<double> amplitudes;   // of lines 0, step, 2 step, ...
    std::vector<SpectrumPeak> peaks;  // highest first
};
// Of the values without their straight trend, through a Hann window. Amplitudes are those of a sine
// wave on a line. A peak is a line above its neighbours and above 1e-3 of the highest; its position
// and height are those of the Hann window that fits it and its higher neighbour: exact for a sine
// wave far from others.
Spectrum spectrum_of(std::span<const double> values, double step, int max_peaks);

// Autocorrelation at lags 0 .. most.
std::vector<double> autocorrelation(std::span<const double> values, int max_lag);
// Mutual information of values and values `lag` later, in nats, from `bins` equally filled bins.
double mutual_information(std::span<const double> values, int lag, int bins = 16);
// The first minimum of the mutual information below half of that at lag 1 (Fraser and Swinney
// 1986), at most `max_lag`. A periodic motion has only ripples: there, the lag at which the
// autocorrelation has fallen to 1/e.
int embedding_delay(std::span<const double> values, int max_lag);

struct SeriesExponentOptions {
    int dimension = 3;
    int delay = 0;  // samples; 0: embedding_delay
    int apart = 0;  // neighbours are at least so many samples apart; 0: the mean period
    int steps = 0;  // to follow neighbours for; 0: eight mean periods
};
struct SeriesExponent {
    bool found = false;
    double exponent = 0;  // 1/s
    double error = 0;  // half the difference of the slopes of the two halves of the straight part
    int delay = 0, apart = 0, points = 0;
    int from = 0, to = 0;            // samples: the straight part of the divergence
    std::vector<double> divergence;  // mean ln of the distance of neighbours, per sample
};
// Rosenstein, Collins and De Luca 1993: neighbours in the delay space are followed, and the mean
// logarithm of their distance rises straight with the largest exponent until they are as far apart
// as any two points. Not found where it does not rise by at least 1.
SeriesExponent exponent_of_series(std::span<const double> values, double step,
                                  SeriesExponentOptions options);

}  // namespace pawl
