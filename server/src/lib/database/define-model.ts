import mongoose from 'mongoose'

// Whoever changes a record goes on with what it has become. Also written out where the type depends on it.
mongoose.set('returnDocument', 'after')

export const { Mixed } = mongoose.Schema.Types

/** Without Mongoose's version of a document: conflicts are noticed by revisions of our own. */
export function defineSchema<T>(
  fields: mongoose.SchemaDefinition<T>,
  options?: { minimize: false },
): mongoose.Schema<T> {
  return new mongoose.Schema<T>(fields, { versionKey: false, ...options })
}

export function defineModel<T>(name: string, schema: mongoose.Schema<T>, collection: string): mongoose.Model<T> {
  return mongoose.model<T>(name, schema, collection)
}
