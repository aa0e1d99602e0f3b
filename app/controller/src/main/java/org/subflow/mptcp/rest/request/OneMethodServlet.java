// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A servlet for one method; all others get status 405. {@link HttpServlet} has 501 for those that it does not know, a server error. */
public abstract class OneMethodServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final String method;

    /**
     * Makes it.
     *
     * @param method the method, in capitals; not null
     */
    public OneMethodServlet(String method) {
        this.method = method;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        if (method.equals(request.getMethod())) {
            super.service(request, response);
        } else {
            response.setHeader("Allow", method);
            ErrorAnswers.write(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, ErrorAnswers.notAllowed(request.getMethod(), method));
        }
    }
}
