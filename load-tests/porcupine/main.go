// Checks a recorded history of a run (docs/reference/histories.md) with Porcupine, a linearizability checker that knows
// nothing of Innkeeper. Two models: the rooms of each cell (property, room type, night), and each idempotency key.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// Longest line of a history, and longest time for one cell or key.
const (
	maxLineBytes = 16 * 1024 * 1024
	maxCheck     = 60 * time.Second
)

// line is one event of the history.
type line struct {
	Type    string `json:"type"`
	Op      string `json:"op"`
	Process int    `json:"process"`
	Time    int64  `json:"time"`
	F       string `json:"f"`
	Key     string `json:"key"`
	Entity  string `json:"entity"`
	Error   string `json:"error"`
	Value   value  `json:"value"`
}

type value struct {
	Property string         `json:"property"`
	Totals   map[string]int `json:"totals"`
	Moves    []move         `json:"moves"`
	Cells    []seen         `json:"cells"`
	May      bool           `json:"may"`
}

// move changes the rooms of a cell: guests' rooms, or rooms blocked for a group.
type move struct {
	Cell    string `json:"cell"`
	Taken   int    `json:"taken"`
	Blocked int    `json:"blocked"`
}

// seen is the number of taken rooms that a read has shown.
type seen struct {
	Cell  string `json:"cell"`
	Taken int    `json:"taken"`
}

// rooms is the state of a cell.
type rooms struct{ taken, blocked int }

type cellInput struct {
	kind           string // "move", "full", "read"
	taken, blocked int
	total          int
	may            bool
}

// cellModel has at most `total` rooms taken and blocked; a refusal needs a full cell, and a read shows what is taken.
var cellModel = porcupine.NondeterministicModel{
	Init: func() []interface{} { return []interface{}{rooms{}} },
	Step: func(state, input, _ interface{}) []interface{} {
		now, in := state.(rooms), input.(cellInput)
		switch in.kind {
		case "full":
			return only(now, now.taken+now.blocked >= in.total)
		case "read":
			return only(now, now.taken == in.taken)
		}
		next := rooms{now.taken + in.taken, now.blocked + in.blocked}
		adds := in.taken > 0 || in.blocked > 0
		isPossible := next.taken >= 0 && next.blocked >= 0 && (!adds || next.taken+next.blocked <= in.total)
		states := only(next, isPossible)
		if in.may {
			states = append(states, now)
		}
		return states
	},
	Equal: func(a, b interface{}) bool { return a == b },
}

func only(state rooms, isPossible bool) []interface{} {
	if !isPossible {
		return nil
	}
	return []interface{}{state}
}

// keyModel gives every request of a key the same answer.
var keyModel = porcupine.Model{
	Init: func() interface{} { return "" },
	Step: func(state, _, output interface{}) (bool, interface{}) {
		known := state.(string)
		return known == "" || known == output.(string), output
	},
}

// report is the last line of the output.
type report struct {
	Cells          int      `json:"cells"`
	CellOperations int      `json:"cellOperations"`
	Keys           int      `json:"keys"`
	KeyOperations  int      `json:"keyOperations"`
	Illegal        []string `json:"illegal"`
	Undecided      []string `json:"undecided"`
}

type histories struct {
	cells, keys map[string][]porcupine.Operation
	totals      map[string]map[string]int
}

func main() {
	if len(os.Args) != 2 {
		fail("usage: porcupine <history.ndjson>")
	}
	found, err := read(os.Args[1])
	if err != nil {
		fail(err.Error())
	}
	said := report{Illegal: []string{}, Undecided: []string{}}
	said.Cells, said.CellOperations = check("cell", cellModel.ToModel(), found.cells, &said)
	said.Keys, said.KeyOperations = check("key", keyModel, found.keys, &said)
	text, _ := json.Marshal(said)
	fmt.Println(string(text))
	if len(said.Illegal) > 0 {
		os.Exit(1)
	}
	if len(said.Undecided) > 0 || said.Cells == 0 {
		os.Exit(2)
	}
}

func check(what string, model porcupine.Model, all map[string][]porcupine.Operation, said *report) (int, int) {
	names := make([]string, 0, len(all))
	operations := 0
	for name, history := range all {
		names = append(names, name)
		operations += len(history)
	}
	sort.Strings(names)
	for _, name := range names {
		switch porcupine.CheckOperationsTimeout(model, all[name], maxCheck) {
		case porcupine.Illegal:
			said.Illegal = append(said.Illegal, what+" "+name)
		case porcupine.Unknown:
			said.Undecided = append(said.Undecided, what+" "+name)
		}
	}
	return len(names), operations
}

// read joins each invocation with its completion; one without a completion may still take effect at any time.
func read(path string) (*histories, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	found := &histories{
		cells:  map[string][]porcupine.Operation{},
		keys:   map[string][]porcupine.Operation{},
		totals: map[string]map[string]int{},
	}
	invoked := map[string]line{}
	scanner := bufio.NewScanner(file)
	scanner.Buffer(make([]byte, 0, 65_536), maxLineBytes)
	for n := 1; scanner.Scan(); n++ {
		var event line
		if err := json.Unmarshal(scanner.Bytes(), &event); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		switch {
		case event.F == "open":
			found.totals[event.Value.Property] = event.Value.Totals
		case event.Type == "invoke":
			invoked[event.Op] = event
		default:
			begun, isKnown := invoked[event.Op]
			if !isKnown {
				return nil, fmt.Errorf("line %d: completes %q, which was not invoked", n, event.Op)
			}
			delete(invoked, event.Op)
			if err := found.add(begun, event); err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		}
	}
	for _, begun := range invoked {
		if err := found.add(begun, line{Type: "info"}); err != nil {
			return nil, err
		}
	}
	return found, scanner.Err()
}

func (found *histories) add(begun, ended line) error {
	until := ended.Time
	if ended.Type == "info" {
		until = math.MaxInt64
	}
	operation := func(input, output interface{}) porcupine.Operation {
		return porcupine.Operation{ClientId: begun.Process, Input: input, Call: begun.Time, Output: output, Return: until}
	}
	if ended.Type == "ok" && begun.Key != "" && ended.Entity != "" {
		found.keys[begun.Key] = append(found.keys[begun.Key], operation(begun.F, ended.Entity))
	}
	property := begun.Value.Property
	put := func(cell string, input cellInput) error {
		total, isKnown := found.totals[property][typeOf(cell)]
		if !isKnown {
			return fmt.Errorf("%s has no rooms of %q", property, cell)
		}
		input.total = total
		name := property + " " + cell
		found.cells[name] = append(found.cells[name], operation(input, nil))
		return nil
	}
	if begun.F == "read" {
		for _, one := range ended.Value.Cells {
			if err := put(one.Cell, cellInput{kind: "read", taken: one.Taken}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, one := range begun.Value.Moves {
		input := cellInput{kind: "move", taken: one.Taken, blocked: one.Blocked, may: begun.Value.May || ended.Type == "info"}
		if ended.Type == "fail" {
			if ended.Error != "full" {
				continue
			}
			input = cellInput{kind: "full"}
		}
		if err := put(one.Cell, input); err != nil {
			return err
		}
	}
	return nil
}

// typeOf is the room type of a cell, `STD 2030-01-01`.
func typeOf(cell string) string {
	for n, letter := range cell {
		if letter == ' ' {
			return cell[:n]
		}
	}
	return cell
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, "porcupine: "+why)
	os.Exit(2)
}
