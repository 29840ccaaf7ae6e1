"""The harness: reads articulated objects, drives them in a simulator, measures and compares their motions."""
