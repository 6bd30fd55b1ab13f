// Sentences out of the facts of an event: the one place that words them.
#pragma once

#include <string>

#include "results/event.h"

namespace pawl {

// Parts joined by "; "; empty where there is nothing to report.
std::string event_text(const Event& event);

std::string_view word_of(fact::FrictionImpulse::Slip slip);
std::string_view word_of(fact::ImpactOrder::Order order);
std::string_view word_of(fact::Held::Manner manner);
std::string_view word_of(fact::Held::By by);

// "driver 'm'" or "drivers 'm', 'n'".
std::string drivers_text(const std::vector<std::string>& names);

// What holds a contact that cannot yield.
std::string text_of(const fact::Held& held);

}  // namespace pawl
