import mongoose from 'mongoose'

/** How far the demo's making has come. Once it is done, the demo is its visitors' and never touched again. */
export interface DemoMarkDoc {
  _id: 'demo'
  /** What has been made, whatever became of it since. */
  steps: string[]
  done: boolean
}

const demoMarkSchema = new mongoose.Schema<DemoMarkDoc>(
  {
    _id: String,
    steps: { type: [String], required: true },
    done: { type: Boolean, required: true },
  },
  { versionKey: false },
)
export const DemoMarkModel = mongoose.model('DemoMark', demoMarkSchema, 'marks')
