package explorer

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"interleave/model"
	"interleave/spec/bully"
)

// request is a question as the page asks it, to be spoilt.
func request(t *testing.T, s *Server, path, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, "http://"+s.hosts[0]+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", "http://"+s.hosts[0])
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set(tokenHeader, s.token)
	return r
}

func send(t *testing.T, r *http.Request) (status int, body []byte, header http.Header) {
	t.Helper()
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, body, response.Header
}

// TestRefusals spoils a request in every way, and wants each refused for that reason,
// and nothing begun.
func TestRefusals(t *testing.T) {
	s := serve(t, Subject{Name: "bully", Machine: bully.Mended, Config: model.Config{N: 3}})
	start := `{"course":0}`
	if status, body, _ := send(t, request(t, s, "/api/check", start)); status != http.StatusOK {
		t.Fatalf("the request to be spoilt: %d %s", status, body)
	}
	for name, row := range map[string]struct {
		spoil  func(r *http.Request)
		status int
		says   string
	}{
		"wrong host":                {func(r *http.Request) { r.Host = "evil.example:80" }, 421, "not called that"},
		"right host, wrong port":    {func(r *http.Request) { r.Host = "127.0.0.1:1" }, 421, "not called that"},
		"host with a dot":           {func(r *http.Request) { r.Host = strings.Replace(s.hosts[1], ":", ".:", 1) }, 421, "not called that"},
		"no token":                  {func(r *http.Request) { r.Header.Del(tokenHeader) }, 403, "token"},
		"wrong token":               {func(r *http.Request) { r.Header.Set(tokenHeader, s.token[1:]) }, 403, "token"},
		"token in the address":      {func(r *http.Request) { r.Header.Del(tokenHeader); r.URL.RawQuery = "token=" + s.token }, 403, "token"},
		"another origin":            {func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403, "another page"},
		"origin null":               {func(r *http.Request) { r.Header.Set("Origin", "null") }, 403, "another page"},
		"origin with https":         {func(r *http.Request) { r.Header.Set("Origin", "https://"+s.hosts[0]) }, 403, "another page"},
		"the other name of ours":    {func(r *http.Request) { r.Header.Set("Origin", "http://"+s.hosts[1]) }, 403, "another page"},
		"cross-site without origin": {func(r *http.Request) { r.Header.Del("Origin"); r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403, "another page"},
		"GET":                       {func(r *http.Request) { r.Method = http.MethodGet }, 405, "POST"},
		"PUT":                       {func(r *http.Request) { r.Method = http.MethodPut }, 405, "POST"},
		"a form":                    {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415, "application/json"},
		"bad JSON":                  {func(r *http.Request) { body(r, `{"course":`) }, 400, "not as it should be"},
		"unknown field":             {func(r *http.Request) { body(r, `{"course":0,"delete":true}`) }, 400, "unknown field"},
		"two questions":             {func(r *http.Request) { body(r, start+start) }, 400, "there is more"},
		"no such course":            {func(r *http.Request) { body(r, `{"course":7}`) }, 400, "there is no run 7"},
		"negative course":           {func(r *http.Request) { body(r, `{"course":-1}`) }, 400, "there is no run -1"},
		"huge body":                 {func(r *http.Request) { body(r, `{"course":`+strings.Repeat(" ", maxBody+1)+`0}`) }, 413, "too long"},
		"no such path":              {func(r *http.Request) { r.URL.Path = "/api/nothing" }, 404, "nothing here"},
		"up the tree":               {func(r *http.Request) { r.URL.Path = "/../app.js" }, 404, "nothing here"},
		"POST to the page":          {func(r *http.Request) { r.URL.Path = "/" }, 405, "GET"},
	} {
		r := request(t, s, "/api/check/start", start)
		row.spoil(r)
		status, text, header := send(t, r)
		if status != row.status || !strings.Contains(string(text), row.says) {
			t.Errorf("%s: %d %s; want %d and %q", name, status, text, row.status, row.says)
		}
		if header.Get("Access-Control-Allow-Origin") != "" || header.Get("Content-Security-Policy") != policy {
			t.Errorf("%s: the header is %v", name, header)
		}
	}
	if st := asks[CheckStatus](t, s, "/api/check", which{}); st.Begun {
		t.Errorf("a refused request began a check: %+v", st)
	}
}

func body(r *http.Request, text string) {
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
}

// TestGetChangesNothing asks for every path by GET, with the token and all.
func TestGetChangesNothing(t *testing.T) {
	s := serve(t, Subject{Name: "bully", Machine: bully.Mended, Config: model.Config{N: 3}})
	before := asks[Listing](t, s, "/api/list", struct{}{})
	for path := range questions {
		r := request(t, s, path, `{"course":0}`)
		r.Method = http.MethodGet
		if status, _, _ := send(t, r); status != http.StatusMethodNotAllowed {
			t.Errorf("GET %s: %d", path, status)
		}
	}
	for path, file := range files {
		r := request(t, s, path, "")
		r.Method = http.MethodGet
		status, text, header := send(t, r)
		if status != http.StatusOK || !bytes.Equal(text, file.text) || header.Get("Content-Type") != file.kind {
			t.Errorf("GET %s: %d, %d bytes of %s", path, status, len(text), header.Get("Content-Type"))
		}
		if bytes.Contains(text, []byte(s.token)) {
			t.Errorf("GET %s has the token in it", path)
		}
	}
	after := asks[Listing](t, s, "/api/list", struct{}{})
	if fmt.Sprint(before) != fmt.Sprint(after) || asks[CheckStatus](t, s, "/api/check", which{}).Begun {
		t.Errorf("%+v has become %+v", before, after)
	}
}

// TestLoopback: nobody else can reach the server.
func TestLoopback(t *testing.T) {
	s := serve(t, twoLeaders(t))
	if address := s.listener.Addr().String(); !strings.HasPrefix(address, "127.0.0.1:") {
		t.Errorf("it listens on %s", address)
	}
	if !strings.Contains(s.URL(), "/#token="+s.token) || len(s.token) < 26 {
		t.Errorf("the address is %s", s.URL())
	}
	if other := serve(t, twoLeaders(t)); other.token == s.token {
		t.Error("two launches have the same token")
	}
}

func TestNothing(t *testing.T) {
	if _, err := Listen(0, nil, nil); err == nil {
		t.Error("a server of nothing begins")
	}
	if _, err := Listen(0, []Subject{{Name: "bad", Machine: bully.Mended, Config: model.Config{N: 99}}}, nil); err == nil || !strings.Contains(err.Error(), "bad: ") {
		t.Errorf("a world that cannot be: %v", err)
	}
}

// FuzzQuestion asks anything of every path: no question may end the server.
func FuzzQuestion(f *testing.F) {
	subject := Subject{Name: "bully", Machine: bully.Mended, Config: model.Config{N: 2}}
	c, err := newCourse(subject)
	if err != nil {
		f.Fatal(err)
	}
	s := &Server{courses: []*course{c}, worlds: map[which]*course{}, checks: map[which]*job{}}
	for path := range questions {
		f.Add(path, `{"course":0,"initial":0,"steps":0,"choices":[0,1],"at":1}`)
		f.Add(path, `{"ran":-1}`)
	}
	f.Fuzz(func(t *testing.T, path, text string) {
		if answer := questions[path]; answer != nil && path != "/api/check/start" {
			_, _ = answer(s, strings.NewReader(text))
		}
	})
}

// TestQuestionsAtOnce asks many things of one course at the same time; the race detector
// looks on.
func TestQuestionsAtOnce(t *testing.T) {
	s := serve(t, Subject{Name: "bully", Machine: bully.Mended, Config: model.Config{N: 3, Crashes: 1}})
	var group sync.WaitGroup
	for range 4 {
		for path, question := range map[string]string{"/api/view": `{"choices":[0,0]}`, "/api/state": `{"choices":[0],"at":1}`, "/api/graph": `{"choices":[0],"at":1}`, "/api/list": `{}`, "/api/check/start": `{}`} {
			group.Go(func() {
				if status, text, _ := send(t, request(t, s, path, question)); status != http.StatusOK {
					t.Errorf("%s: %d %s", path, status, text)
				}
			})
		}
	}
	group.Wait()
}

// TestQuestionsOnPage: docs/explorer.md names every question, and each of its examples is answered.
func TestQuestionsOnPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/explorer.md")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, Subject{Name: "bully", Machine: bully.Mended, Config: model.Config{N: 2}})
	named := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(/api/[a-z/]*)` \\| `([^`]*)` \\|").FindAllStringSubmatch(string(page), -1) {
		named[row[1]] = true
		if status, body, _ := send(t, request(t, s, row[1], row[2])); status != http.StatusOK && row[1] != "/api/ran" || strings.Contains(string(body), "not as it should be") {
			t.Errorf("%s %s: %d %s", row[1], row[2], status, body)
		}
	}
	for path := range questions {
		if !named[path] {
			t.Errorf("docs/explorer.md does not name %s", path)
		}
	}
	if !strings.Contains(string(page), "`"+tokenHeader+"`") {
		t.Errorf("it does not name the header %s", tokenHeader)
	}
}
