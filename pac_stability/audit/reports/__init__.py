"""What an audit found, for people and for programs: text, JSON, JUnit, HTML, words, pictures."""
