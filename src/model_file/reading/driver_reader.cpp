// Reading of drivers: the coordinate that is driven, and the law.
#include "model_file/reading/model_reader.h"

namespace pawl {

template <class S>
void ModelReader<S>::read_driver(const Node& node, const std::string& title) {
    FieldReader<S> reader(node, title, context_);
    DriverElement<S> element;
    element.fields(reader);
    Driver<S> driver;
    driver.name = node.key;
    driver.span = node.begin;
    if (const auto coordinate = driven(reader, element)) {
        driver.coordinate = *coordinate;
        reader.set_coordinate(coordinate->dimension());
    }
    auto law = reader.template kind_of<DriverLaw<T>>();
    if (!law) return;
    driver.law = std::move(*law);
    std::visit([&](auto& l) { l.fields(reader); }, driver.law);
    reader.finish();
    mechanism_.drivers.push_back(std::move(driver));
}

template <class S>
std::optional<Coordinate<S>> ModelReader<S>::driven(FieldReader<S>& reader,
                                                    const DriverElement<S>& element) {
    const int targets = reader.has("joint") + reader.has("body") + reader.has("point");
    if (targets != 1) {
        reader.error(reader.table_span(),
                     reader.title() +
                         (targets == 0 ? " drives nothing" : " drives more than one thing") +
                         "; give one of joint, body and point");
        return std::nullopt;
    }
    if (reader.failed()) return std::nullopt;
    if (element.joint) return reader.find_coordinate(*element.joint, element.of);
    reader.take("of", true);
    if (!element.of) return std::nullopt;
    Coordinate<S> coordinate;
    coordinate.component = *element.of;
    coordinate.frames[1].body = element.body.value_or(0);
    if (element.point) coordinate.frames[1] = *element.point;
    if (element.point && element.of == Component::angle) {
        reader.error(reader.span_of("of"), reader.what("of") +
                                               ": a point has x and y, but no angle; "
                                               "give the body instead");
        return std::nullopt;
    }
    if (coordinate.frames[1].body == 0) {
        reader.error(reader.span_of(element.point ? "point" : "body"),
                     reader.title() + ": ground cannot be driven");
        return std::nullopt;
    }
    return coordinate;
}

template void ModelReader<PlanarSpace>::read_driver(const Node&, const std::string&);

}  // namespace pawl
