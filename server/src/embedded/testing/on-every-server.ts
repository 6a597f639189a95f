import type { ObjectId } from 'bson'
import type { Connection, mongo } from 'mongoose'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { servers } from './test-database.ts'

export interface Row {
  _id?: number | ObjectId | undefined
  [field: string]: unknown
}

/** Also on a real MongoDB if `MONGODB_URL` is set. `things` is empty at the start of each test. */
export function onEveryServer(
  tests: (things: () => mongo.Collection<Row>, connection: () => Connection) => void,
): void {
  describe.each(servers())('$name', ({ open }) => {
    let opened: Awaited<ReturnType<typeof open>>
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.close())
    const things = () => opened.connection.getClient().db(opened.connection.name).collection<Row>('things')
    beforeEach(async () => {
      await things().drop()
    })
    tests(things, () => opened.connection)
  })
}
