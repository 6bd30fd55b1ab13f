#include "contact/near_pairs.h"

#include <algorithm>
#include <numeric>

namespace pawl {

const std::vector<std::pair<int, int>>& NearPairs::find(std::span<const BoundingCircle> circles) {
    if (order_.size() != circles.size()) {
        order_.resize(circles.size());
        std::iota(order_.begin(), order_.end(), 0);
    }
    const auto low = [&](int i) { return circles[i].centre.x - circles[i].radius; };
    // Insertion: linear where the order has hardly changed.
    for (std::size_t i = 1; i < order_.size(); ++i) {
        const int moved = order_[i];
        std::size_t k = i;
        for (; k > 0 && low(order_[k - 1]) > low(moved); --k) order_[k] = order_[k - 1];
        order_[k] = moved;
    }
    found_.clear();
    reaches_.clear();
    for (const int i : order_) {
        const BoundingCircle& a = circles[i];
        std::erase_if(reaches_,
                      [&](int k) { return circles[k].centre.x + circles[k].radius < low(i); });
        for (const int k : reaches_) {
            const BoundingCircle& b = circles[k];
            const double x = b.centre.x - a.centre.x, y = b.centre.y - a.centre.y,
                         reach = a.radius + b.radius;
            if (x * x + y * y <= reach * reach) found_.emplace_back(std::minmax(i, k));
        }
        reaches_.push_back(i);
    }
    std::sort(found_.begin(), found_.end());
    return found_;
}

}  // namespace pawl
