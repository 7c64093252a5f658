module example.com/my-parser/adapter

go 1.19
