package dev.slipway.security;

import static dev.slipway.security.Action.CREATE;
import static dev.slipway.security.Action.DELETE;
import static dev.slipway.security.Action.DEPLOY;
import static dev.slipway.security.Action.OPERATE;
import static dev.slipway.security.Action.READ;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What people are to Slipway: each role is a group of the engine. */
public enum Role {
    /** Sees everything, changes nothing. */
    VIEWER("viewers", EnumSet.of(READ)),
    /** Runs the fleet. */
    OPERATOR("operators", EnumSet.of(READ, CREATE, OPERATE, DELETE)),
    /** Draws and deploys diagrams, and sees what they do. */
    DESIGNER("designers", EnumSet.of(READ, DEPLOY)),
    /** May do everything. */
    ADMIN("camunda-admin", EnumSet.allOf(Action.class));

    private final String group;

    @SuppressWarnings("ImmutableEnumChecker") // Unmodifiable; its type does not say so.
    private final Set<Action> actions;

    Role(String group, Set<Action> actions) {
        this.group = group;
        this.actions = Collections.unmodifiableSet(actions);
    }

    /** The engine's group. */
    public String group() {
        return group;
    }

    /** What the role may do. */
    public Set<Action> actions() {
        return actions;
    }

    /** How people and settings name it, for example "operator". */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The roles that those groups are. */
    static Set<Role> ofGroups(Collection<String> groups) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        Arrays.stream(values()).filter(role -> groups.contains(role.group)).forEach(roles::add);
        return roles;
    }

    /** What somebody with these roles may do. */
    static Set<Action> actionsOf(Collection<Role> roles) {
        Set<Action> actions = EnumSet.noneOf(Action.class);
        roles.forEach(role -> actions.addAll(role.actions));
        return actions;
    }
}
