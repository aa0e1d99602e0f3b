// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The answer is an object with a list, of which clients may ask for a part; see {@link ListFeature}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Listed {
    /** Returns the list's field. */
    String value();

    /** Returns the query parameters that select elements: {@code name}, or {@code name=field,field} of other fields. */
    String[] by() default {};

    /** Returns the parameter that has a word of {@link #words()}; empty if there is none. */
    String of() default "";

    /** Returns an enumeration: its constants, in small letters, are the words that the parameter {@link #of()} takes. */
    Class<? extends Enum<?>> words() default Nothing.class;

    /** No words. */
    enum Nothing { }
}
