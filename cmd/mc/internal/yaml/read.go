package yaml

import (
	"bytes"
	"errors"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// What bounds the work on a file, however it is made.
const (
	MaxBytes = 1 << 20
	maxLine  = 4096 // bytes, so that no line nests deeply
	maxDepth = 32   // of brackets
	maxKeys  = 1000 // of one mapping
)

// Read reads a file that consists of one mapping. The parser is another's:
// what it might stumble over is refused before, and a panic is an error.
func Read(text []byte) (root Node, err error) {
	if err := checkText(text); err != nil {
		return root, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = At(1, "the YAML cannot be read: the parser fails with %v: write it more plainly", r)
		}
	}()
	tokens := lexer.Tokenize(string(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if err := checkTokens(tokens); err != nil {
		return root, err
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey()) // we tell of duplicates ourselves
	var syntax yaml.Error
	switch {
	case errors.As(err, &syntax) && syntax.GetToken() != nil:
		return root, At(syntax.GetToken().Position.Line, "this is not YAML: %s", syntax.GetMessage())
	case err != nil:
		return root, At(1, "this is not YAML: %v", err)
	case len(file.Docs) > 1:
		return root, At(secondDocument(tokens), "a second document begins: write one file for each")
	case len(file.Docs) == 0 || file.Docs[0].Body == nil:
		return root, AtLine(1, errEmpty)
	}
	return convert(file.Docs[0].Body)
}

// checkText refuses what is too large, or no text.
func checkText(text []byte) error {
	if len(text) > MaxBytes {
		return At(1, "larger than %d MiB: split the file", MaxBytes>>20)
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if len(line) > maxLine {
			return At(number, "the line is longer than %d bytes: break it", maxLine)
		}
		if !utf8.Valid(line) {
			return At(number, "the line is not UTF-8: write the file as UTF-8")
		}
		if text := bytes.TrimLeft(line, " "); len(bytes.TrimSpace(text)) > 0 && text[0] == '\t' {
			return At(number, "a tab before the text: YAML is indented by spaces")
		}
	}
	return nil
}

// secondDocument returns the line on which a second document begins.
func secondDocument(tokens token.Tokens) int {
	line := 1
	for _, tk := range tokens {
		if tk.Type == token.DocumentHeaderType || tk.Type == token.DocumentEndType {
			line = tk.Position.Line
		}
	}
	return line
}

// refused are the parts of YAML that make a file say what cannot be seen there.
var refused = map[token.Type]string{
	token.AnchorType:     "an anchor (&) means nothing here: write the value out",
	token.AliasType:      "an alias (*) means nothing here: write the value out",
	token.MergeKeyType:   "a merge (<<) means nothing here: write the keys out",
	token.TagType:        "a tag (!) means nothing here: leave it out",
	token.DirectiveType:  "a directive (%) means nothing here: leave it out",
	token.MappingKeyType: "a key after ? means nothing here: write key: value",
}

// checkTokens refuses what we do not read, depth, and what takes the parser
// quadratic time: keys and entries without a value, and mappings of many keys.
func checkTokens(tokens token.Tokens) error {
	depth := 0
	var opener *token.Token // a key or a dash, whose value is to come
	keys := map[int]int{}   // how many of a mapping there were, by column
	for _, tk := range tokens {
		if why, ok := refused[tk.Type]; ok {
			return At(tk.Position.Line, "%s", why)
		}
		if tk.Type == token.CommentType {
			continue
		}
		if opener != nil && valueless(opener, tk, depth > 0) {
			return noValue(opener)
		}
		opener = nil
		switch tk.Type {
		case token.SequenceStartType, token.MappingStartType:
			if depth++; depth > maxDepth {
				return At(tk.Position.Line, "brackets within brackets, %d deep: nothing here nests so deeply", depth)
			}
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.MappingValueType:
			opener = tk.Prev
			column := opener.Position.Column
			if keys[column]++; keys[column] > maxKeys {
				return At(opener.Position.Line, "a mapping of more than %d keys: nothing here has so many", maxKeys)
			}
			maps.DeleteFunc(keys, func(c, _ int) bool { return c > column })
		case token.SequenceEntryType:
			opener = tk
			maps.DeleteFunc(keys, func(c, _ int) bool { return c > tk.Position.Column })
		}
	}
	if opener != nil {
		return noValue(opener)
	}
	return nil
}

// valueless reports whether the token after a key and its colon, or after the
// dash of a list, is not the beginning of a value.
func valueless(opener, next *token.Token, inBrackets bool) bool {
	switch next.Type {
	case token.CollectEntryType, token.SequenceEndType, token.MappingEndType, token.DocumentHeaderType, token.DocumentEndType:
		return true
	}
	column := opener.Position.Column
	if next.Type == token.SequenceEntryType && opener.Type != token.SequenceEntryType {
		column-- // the dashes of a list may stand right below its key
	}
	return !inBrackets && next.Position.Line > opener.Position.Line && next.Position.Column <= column
}

func noValue(opener *token.Token) error {
	if opener.Type == token.SequenceEntryType {
		return At(opener.Position.Line, "an entry of a list is empty: give it a value, or leave it out")
	}
	return At(opener.Position.Line, "%q has no value: give it one, or leave it out", opener.Value)
}

// convert turns what the parser read into a yamlNode.
func convert(n ast.Node) (Node, error) {
	if n == nil || n.GetToken() == nil {
		return Node{}, At(1, "something is empty: write it out")
	}
	out := Node{Line: n.GetToken().Position.Line, Kind: Scalar}
	switch n := n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		out.Text = n.GetToken().Value
	case *ast.LiteralNode:
		out.Text = n.Value.Value
	case *ast.NullNode:
		return out, At(out.Line, "a value is empty: write one, or leave its key out")
	case *ast.SequenceNode:
		out.Kind = List
		for _, v := range n.Values {
			item, err := convert(v)
			if err != nil {
				return out, err
			}
			out.Items = append(out.Items, item)
		}
	case *ast.MappingNode:
		return out.withFields(n.Values)
	case *ast.MappingValueNode:
		return out.withFields([]*ast.MappingValueNode{n})
	default:
		return out, At(out.Line, "%s means nothing here: write a value, a list or a mapping", strings.ToLower(n.Type().String()))
	}
	return out, nil
}

// withFields returns the mapping with its keys, no two of them the same.
func (n Node) withFields(values []*ast.MappingValueNode) (Node, error) {
	n.Kind = Mapping
	first := map[string]int{}
	for _, v := range values {
		key, err := convert(v.Key)
		if err != nil {
			return n, err
		}
		if key.Kind != Scalar {
			return n, At(key.Line, "a %s is not a key: write key: value", key.Kind)
		}
		if line, twice := first[key.Text]; twice {
			return n, At(key.Line, "%q stands here for the second time, after line %d: leave one out", key.Text, line)
		}
		first[key.Text] = key.Line
		value, err := convert(v.Value)
		if err != nil {
			return n, err
		}
		n.Fields = append(n.Fields, Field{key.Line, key.Text, value})
	}
	if len(n.Fields) > 0 {
		n.Line = n.Fields[0].Line
	}
	return n, nil
}
