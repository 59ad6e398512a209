"""The screens: for each type of `viewmodel.states` a function from its value to parts."""
