import mongoose from 'mongoose'

// Also written out where a type depends on it.
mongoose.set('returnDocument', 'after')

export const { Mixed } = mongoose.Schema.Types
type StoredType = object

/** `absent`: may be missing in stored records. */
interface Field<T, P extends 'present' | 'absent'> {
  type?: StoredType
  required?: boolean
  default?: unknown
  readonly typed?: { as: T; is: P }
}

interface FieldOf<P extends 'present' | 'absent', Null = never, Rest extends unknown[] = []> {
  (type: StringConstructor, ...rest: Rest): Field<string | Null, P>
  (type: NumberConstructor, ...rest: Rest): Field<number | Null, P>
  (type: BooleanConstructor, ...rest: Rest): Field<boolean | Null, P>
  (type: DateConstructor, ...rest: Rest): Field<Date | Null, P>
  (type: typeof Buffer, ...rest: Rest): Field<Buffer | Null, P>
  <T>(type: StoredType, ...rest: Rest): Field<T | Null, P>
}

const id: FieldOf<'present'> = (type: StoredType) => ({ type })
const required: FieldOf<'present'> = (type: StoredType) => ({ type, required: true })
/** Null where it is not given. */
const nullable: FieldOf<'present', null> = (type: StoredType) => ({ type, default: null })
const withDefault: FieldOf<'present', never, [value: unknown]> = (type: StoredType, value: unknown) => ({
  type,
  default: value,
})
const optional: FieldOf<'absent', never, [value?: unknown]> = (type: StoredType, value?: unknown) => ({
  type,
  default: value,
})
const custom = <T>(definition: object): Field<T, 'present'> => definition
export const field = { id, required, nullable, withDefault, optional, custom }

type Fields = Record<string, Field<unknown, 'present' | 'absent'>>
type TypeOf<F> = F extends Field<infer T, 'present' | 'absent'> ? T : never
export type RecordOf<F extends Fields> = {
  [K in keyof F as F[K] extends Field<unknown, 'present'> ? K : never]: TypeOf<F[K]>
} & {
  [K in keyof F as F[K] extends Field<unknown, 'present'> ? never : K]?: TypeOf<F[K]>
}

export type DocOf<S> = S extends mongoose.Schema<infer T> ? { [K in keyof T]: T[K] } : never

export const schemaOf = <F extends Fields>(fields: F, options?: { minimize: false }): mongoose.Schema<RecordOf<F>> =>
  // Each field has the type that `RecordOf` says, which Mongoose cannot infer.
  defineSchema(fields as unknown as mongoose.SchemaDefinition<RecordOf<F>>, options)

/** Without Mongoose's version key: conflicts are noticed by revisions of our own. */
export function defineSchema<T>(
  fields: mongoose.SchemaDefinition<T>,
  options?: { minimize: false },
): mongoose.Schema<T> {
  return new mongoose.Schema<T>(fields, { versionKey: false, ...options })
}

export function defineModel<T>(name: string, schema: mongoose.Schema<T>, collection: string): mongoose.Model<T> {
  return mongoose.model<T>(name, schema, collection)
}
