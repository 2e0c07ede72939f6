"""The result of an audit for people and programs: text, JSON, JUnit, HTML, words, pictures."""
