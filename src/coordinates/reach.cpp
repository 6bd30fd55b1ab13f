// What the coordinates move: the columns that reach a set of frames, rows pulled back to them, and
// the coordinates of given positions.
#include <algorithm>

#include "coordinates/coordinates.h"

namespace pawl {

// The branches above the common ancestor of all frames move them as one body and drop out.
template <class S>
typename Coordinates<S>::Reach Coordinates<S>::reach(std::span<const Attachment<S>> frames) const {
    std::vector<std::vector<int>> paths;  // from ground outwards
    for (const auto& f : frames) {
        std::vector<int> path;
        for (int body = f.body; body != 0; body = branches_[branch_of_[body]].parent)
            path.push_back(branch_of_[body]);
        std::reverse(path.begin(), path.end());
        paths.push_back(std::move(path));
    }
    std::size_t shared = 0;
    while (std::all_of(paths.begin(), paths.end(), [&](const auto& p) {
        return shared < p.size() && p[shared] == paths[0][shared];
    }))
        ++shared;
    Reach reach;
    for (const auto& path : paths)
        for (std::size_t i = shared; i < path.size(); ++i) {
            const Branch& b = branches_[path[i]];
            for (std::size_t c = 0; c < b.freedoms.size(); ++c)
                reach.columns.push_back(b.first + static_cast<int>(c));
        }
    std::sort(reach.columns.begin(), reach.columns.end());
    reach.columns.erase(std::unique(reach.columns.begin(), reach.columns.end()),
                        reach.columns.end());
    for (std::size_t f = 0; f < paths.size(); ++f)
        for (std::size_t i = shared; i < paths[f].size(); ++i) {
            const Branch& b = branches_[paths[f][i]];
            for (std::size_t c = 0; c < b.freedoms.size(); ++c) {
                const int column = b.first + static_cast<int>(c);
                const auto slot =
                    std::lower_bound(reach.columns.begin(), reach.columns.end(), column);
                reach.entries.push_back({static_cast<int>(slot - reach.columns.begin()),
                                         paths[f][i], static_cast<int>(f), b.freedoms[c]});
            }
        }
    return reach;
}

// A coordinate moves everything outside it: a displacement along an axis of frame a, or a turn
// about the origin of frame b; the other way round when the child carries frame a.
template <class S>
void Coordinates<S>::pull_back(const Reach& reach, const typename S::Row& row,
                               const std::array<typename S::Frame, 3>& frames,
                               double* values) const {
    std::fill_n(values, reach.columns.size(), 0.0);
    for (const auto& e : reach.entries) {
        const auto& w = row.w[e.frame];
        double value = 0;
        if (e.freedom == Component::angle)
            value = w.m + S::cross(frames[e.frame].position.p - centre_[e.branch], w.f);
        else
            value = S::dot(direction(e.branch, e.freedom), w.f);
        values[e.slot] += branches_[e.branch].reversed ? -value : value;
    }
}

template <class S>
void Coordinates<S>::measure(const Branch& br, const typename S::Position& parent,
                             const typename S::Position& child, double* q) const {
    const typename S::Frame a{br.frames[0].on(br.reversed ? child : parent), {}};
    const typename S::Frame b{br.frames[1].on(br.reversed ? parent : child), {}};
    for (std::size_t i = 0; i < br.freedoms.size(); ++i)
        q[i] = component_row<S>(br.freedoms[i], a, b).phi;
}

template <class S>
std::vector<double> Coordinates<S>::from_positions(
    std::span<const typename S::Position> positions) const {
    std::vector<double> q(size_);
    for (const Branch& br : branches_)
        measure(br, positions[br.parent], positions[br.child], q.data() + br.first);
    return q;
}

template class Coordinates<PlanarSpace>;

}  // namespace pawl
