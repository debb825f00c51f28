// Package explorer shows runs and state spaces in a browser: the steps of a trace with
// what each changes, its space-time diagram, what is possible in a state and what is
// not and why, what each property says there, a running check, the graph of states,
// two traces side by side, and what really ran beside the steps that explain it.
//
//	course     a run to look at: a repeated trace, or no steps yet
//	Place      a state: so many steps of a course, or of its world changed, and then choices
//	           among what is possible
//	View       a run as the page wants it; every local state is in it once
//	Server     the page and its questions, on loopback
//	WriteHTML  a course as one page that needs no server
//
// The server changes nothing on disk. It answers on the loopback interface only, to
// requests that name it exactly as it is called, with the token that was printed when
// it began; questions are POST requests of JSON, and a GET has nothing but the page.
// The page asks nobody else, which its content security policy enforces.
//
// The sources of the page are in web/src, TypeScript and Preact; what is built of them
// is committed in web/dist and embedded, so that building mc needs no Node:
//
//	cd cmd/mc/explorer/web && npm ci && npm run build
//
// A graph of states is laid out here, in layers by distance, and not by Graphviz: a
// search has the layers anyway, and Graphviz for Go is compiled whenever a program that
// links it begins, which costs every verb of mc a second, and leaves machine code in a
// shared folder.
//
// Begin to read with course.go and view.go, then server.go and questions.go.
package explorer
