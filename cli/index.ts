#!/usr/bin/env bun
console.log("hi")
