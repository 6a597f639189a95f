import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { beforeAll, expect, it } from 'vitest'
import { inventory } from './personal-data-inventory.ts'

const server = join(import.meta.dirname, '../..')

beforeAll(async () => {
  const models = (await readdir(server, { recursive: true })).filter((name) => name.endsWith('.model.ts'))
  for (const name of [...models, 'audit/audit.service.ts', 'lib/database/database.ts']) await import(join(server, name))
})

/** Mixed paths may hold anything. */
function maySayWho(path: string, type: mongoose.SchemaType): boolean {
  if (type.instance === 'Mixed') return true
  if (type.instance === 'Number' || type.instance === 'Array')
    return /(^|_)(user|student|actor|author|identity|account|instructor|submission)(_id|_ids|s)?$|_by$/.test(path)
  if (type.instance === 'String')
    return /(^|[_.])(name|username|email|sub|text|feedback|reason|answer|identifier|raw|institution|student_number|notes|error|user_id|sis_id|placeholder|password_hash)$/.test(
      path,
    )
  return false
}

it('lists every model there is, and none that is not', () => {
  expect(Object.keys(inventory).sort()).toEqual(mongoose.modelNames().sort())
})

it('says of every path that may name a person in a document that stays what becomes of it', () => {
  const missing = Object.entries(mongoose.models).flatMap(([name, { schema }]) => {
    const { erase, emptied, kept = [], other = [] } = inventory[name] ?? {}
    // Deleted documents go with their content.
    if (erase && !emptied) return []
    return Object.entries(schema.paths).flatMap(([path, type]) =>
      maySayWho(path, type) && ![...(emptied ?? []), ...kept, ...other].includes(path) ? [`${name}.${path}`] : [],
    )
  })
  expect(missing).toEqual([])
})

it('names paths that there are', () => {
  const unknown = Object.entries(inventory).flatMap(([name, { emptied = [], kept = [], other = [] }]) =>
    [...emptied, ...kept, ...other].flatMap((path) =>
      mongoose.models[name]?.schema.paths[path] ? [] : [`${name}.${path}`],
    ),
  )
  expect(unknown).toEqual([])
})

it('notices a new model that refers to a person', () => {
  const schema = new mongoose.Schema({
    student_id: Number,
    remark: { type: mongoose.Schema.Types.Mixed },
    points: Number,
  })
  const noticed = Object.entries(schema.paths).filter(([path, type]) => maySayWho(path, type))
  expect(noticed.map(([path]) => path)).toEqual(['student_id', 'remark'])
})
