// Package transport carries frames between processes: as datagrams (UDP), over connections
// (TCP), or in memory (Switch). A transport looks into no frame, except that TCP ends a
// connection over which something else comes. What it loses, copies or reorders is the
// business of package link.
package transport
