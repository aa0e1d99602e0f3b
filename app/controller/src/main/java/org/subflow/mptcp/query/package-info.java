// SPDX-License-Identifier: Apache-2.0
/**
 * Questions of users and of other nodes. Nothing here changes a connection by itself.
 *
 * <pre>
 *   QueryServices → Answers                               the services of the API; who answers just now
 *   LeaderAnswers → ConnectionFigures, Searches      on the node that decides: at once, or after a search ({@code WhatIf})
 *   FollowerAnswers                                   on any other node: what the leader has told
 * </pre>
 */
package org.subflow.mptcp.query;
