import mongoose from 'mongoose'

export function onlyDuplicates(error: unknown): boolean {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) return false
  return [error.writeErrors].flat().every(({ code }) => code === 11000)
}
