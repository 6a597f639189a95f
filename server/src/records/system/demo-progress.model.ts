import { type DocOf, defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** Once done, the demo belongs to its visitors. */
const demoProgressSchema = schemaOf({
  _id: field.id<'demo'>(String),
  steps: field.required<string[]>([String]),
  done: field.required(Boolean),
})
export type DemoProgressDoc = DocOf<typeof demoProgressSchema>
export const DemoProgressModel = defineModel('DemoMark', demoProgressSchema, 'marks')
