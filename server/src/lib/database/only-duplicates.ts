import mongoose from 'mongoose'

/** Whether all that failed of a bulk write are inserts of ids that exist already. */
export function onlyDuplicates(error: unknown): boolean {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return false
  return [error.writeErrors].flat().every(({ code }) => code === 11000)
}
