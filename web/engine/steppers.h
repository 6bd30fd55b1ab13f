// What the engine of the page says of its steppers.
#pragma once

namespace pawl::engine {

// Whether a run has asked for the stiff method since this was set to false last.
extern bool stiff_was_wanted;

}  // namespace pawl::engine
