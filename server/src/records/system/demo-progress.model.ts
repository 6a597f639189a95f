import mongoose from 'mongoose'

/** How far the demo's making has come. Once it is done, the demo is its visitors' and never touched again. */
export interface DemoProgressDoc {
  _id: 'demo'
  /** What has been made, whatever became of it since. */
  steps: string[]
  done: boolean
}

const demoProgressSchema = new mongoose.Schema<DemoProgressDoc>(
  {
    _id: String,
    steps: { type: [String], required: true },
    done: { type: Boolean, required: true },
  },
  { versionKey: false },
)
export const DemoProgressModel = mongoose.model('DemoMark', demoProgressSchema, 'marks')
