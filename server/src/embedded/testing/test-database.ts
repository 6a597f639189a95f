import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, createConnection } from 'mongoose'
import { type EmbeddedDatabaseOptions, startEmbeddedDatabase } from '../embedded-database.ts'

export interface TestDatabase {
  connection: Connection
  url: string
  folder: string
  lines: string[]
  close(): Promise<void>
}

export const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'embedded-test-'))

export async function openTestDatabase(
  internal: EmbeddedDatabaseOptions['internal'] = {},
  folder = makeFolder(),
): Promise<TestDatabase> {
  const lines: string[] = []
  const database = await startEmbeddedDatabase({ folder, log: (line) => lines.push(line), internal })
  const connection = await createConnection(database.url).asPromise()
  return {
    connection,
    url: database.url,
    folder,
    lines,
    async close() {
      await connection.close()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function servers(): { name: string; open: () => Promise<{ connection: Connection; close(): Promise<void> }> }[] {
  const real = process.env.MONGODB_URL
  const list: ReturnType<typeof servers> = [{ name: 'embedded', open: () => openTestDatabase() }]
  if (real) list.push({ name: 'MongoDB', open: () => openReal(real) })
  return list
}

async function openReal(url: string) {
  const connection = await createConnection(url, { dbName: `embedded_contract_${process.pid}` }).asPromise()
  return {
    connection,
    async close() {
      await connection.dropDatabase()
      await connection.close()
    },
  }
}
