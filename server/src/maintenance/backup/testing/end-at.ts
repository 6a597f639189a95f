import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { mongo } from 'mongoose'

// A command imports this first. A rename fails as for a mount point.
const { END_WHEN_SAID, END_AT_RENAME, FAIL_AT_RENAME, END_AT_INSERT, END_BY = 'SIGKILL' } = process.env
const end = () => process.kill(process.pid, END_BY)

const { log } = console
let isOver = false
console.log = (line: string) => {
  log(line)
  if (!END_WHEN_SAID || !line.includes(END_WHEN_SAID) || isOver) return
  isOver = true // It goes on after a SIGSTOP.
  end()
}

const { rename } = fs
let renamed = 0
fs.rename = async (from, to) => {
  if (++renamed === Number(END_AT_RENAME)) end()
  if (renamed === Number(FAIL_AT_RENAME))
    throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY', path: `${from}` })
  await rename(from, to)
}
syncBuiltinESMExports()

const { insertMany } = mongo.Collection.prototype
let inserted = 0
mongo.Collection.prototype.insertMany = async function (...given) {
  if (++inserted === Number(END_AT_INSERT)) end()
  return insertMany.apply(this, given)
}
