// Where one force alone would act as all those of a contact do.
#pragma once

#include <array>

#include "plant.hpp"

namespace tactus::host {

// Moves the contact's point within its tangents to where its force has this moment about `centre`; in the
// plane the moment is the first number. A torsion about n is left.
void move_to_centre_of_pressure(ContactSample& contact, const std::array<double, 3>& moment,
                                const std::array<double, 3>& centre, int dim);

}  // namespace tactus::host
