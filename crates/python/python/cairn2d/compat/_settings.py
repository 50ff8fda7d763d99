"""Constants of the `Box2D` module, as version 2.3.10 has them. Only tolerances that the module's names promise: the engine has its own."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

b2_pi = 3.1415927410125732
b2_epsilon = 1.1920928955078125e-07
b2_linearSlop = 0.004999999888241291
b2_angularSlop = 0.03490658849477768
b2_polygonRadius = 0.009999999776482582
b2_maxManifoldPoints = 2
b2_maxPolygonVertices = 16
b2_aabbExtension = 0.10000000149011612
b2_aabbMultiplier = 2.0
b2_maxSubSteps = 8
b2_maxTOIContacts = 32
b2_velocityThreshold = 1.0
b2_maxLinearCorrection = 0.20000000298023224
b2_maxAngularCorrection = 0.13962635397911072
b2_maxTranslation = 2.0
b2_maxTranslationSquared = 4.0
b2_maxRotation = 1.5707963705062866
b2_maxRotationSquared = 2.4674012660980225
b2_baumgarte = 0.20000000298023224
b2_toiBaugarte = 0.75
b2_timeToSleep = 0.5
b2_linearSleepTolerance = 0.009999999776482582
b2_angularSleepTolerance = 0.03490658849477768
b2_minPulleyLength = 2.0
b2_stackSize = 102400
b2_maxStackEntries = 32
b2_chunkSize = 16384
b2_chunkArrayIncrement = 128
b2_maxBlockSize = 640
b2_blockSizes = 14
b2_nullFeature = 255
b2_nullNode = -1
b2_nullState, b2_addState, b2_persistState, b2_removeState = 0, 1, 2, 3
RAND_LIMIT = 32767
e_wheelJoint, e_ropeJoint = 7, 10
e_convertVertices = 0x1000


class b2Version(NamedTuple):
    """A version."""

    major: int = 0
    minor: int = 0
    revision: int = 0


class b2Globals:
    """Global variables of the library; the counters stay 0."""

    b2_toiMaxIters = 0
    b2_toiMaxRootIters = 0
    b2_version = b2Version(2, 3, 2)
    b2_minPulleyLength = b2_minPulleyLength


def b2Random(lower: float = -1.0, upper: float = 1.0) -> float:
    """A random number of a range, by Python's generator; `random.seed` seeds it."""
    return random.uniform(lower, upper)


def b2IsValid(x: float) -> bool:
    return math.isfinite(x)


def b2InvSqrt(x: float) -> float:
    return 1.0 / math.sqrt(x)


def b2NextPowerOfTwo(x: int) -> int:
    """The least power of two above `x`."""
    return 1 << int(x).bit_length()


def b2IsPowerOfTwo(x: int) -> bool:
    return x > 0 and x & (x - 1) == 0


def b2MixFriction(friction1: float, friction2: float) -> float:
    return math.sqrt(friction1 * friction2)


def b2MixRestitution(restitution1: float, restitution2: float) -> float:
    return max(restitution1, restitution2)
