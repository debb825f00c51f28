//go:build !unix

package supervisor

// Here a program is not supervised: a function that ends its process ends the program.
func begun(string) bool { return true }

func watch() int { return Trouble }
