"""Every scene, a module for each family; `registry` has them all."""
