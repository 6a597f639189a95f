import type { mongo } from 'mongoose'
import { renameCollection, renameCounter, renameFields, renameJobs } from './migration.ts'

const collections = {
  model_calls: 'llm_calls',
  model_answers: 'llm_answers',
  model_budgets: 'llm_budgets',
  model_settings: 'llm_settings',
  model_sums: 'llm_totals',
}

const fields = [
  { collection: 'answers', from: 'laid', to: 'extracted' },
  { collection: 'runs', from: 'asks_model', to: 'uses_llm' },
  { collection: 'run_papers', from: 'trouble', to: 'timeouts' },
  { collection: 'run_papers', from: 'timeouts.times', to: 'timeouts.count' },
  { collection: 'lti_contexts', from: 'sync.fruitless', to: 'sync.pages_without_new' },
  { collection: 'lti_contexts', from: 'sync.believe', to: 'sync.accept_short_list' },
]

const jobs = {
  'prepare-run-by-model': 'prepare-run-by-llm',
  'read-paper-by-model': 'read-paper-by-llm',
  'grade-paper-by-model': 'grade-paper-by-llm',
  'rescore-answer-by-model': 'rescore-answer-by-llm',
  'lay-again': 'reextract-answers',
  'keep-score-ledger': 'update-score-ledger',
}

interface OldCheck {
  said?: string
  mend?: string | null
  parts: { said?: string }[]
}

export async function renameLlmRecords(db: mongo.Db): Promise<void> {
  for (const [from, to] of Object.entries(collections)) await renameCollection(db, from, to)
  await renameCounter(db, 'model_calls', 'llm_calls')
  await renameFields(db, fields)
  for (const [from, to] of Object.entries(jobs)) await renameJobs(db, from, to)
  await renameSelfTestFields(db)
}

async function renameSelfTestFields(db: mongo.Db): Promise<void> {
  const tests = db.collection<{ checks: OldCheck[] }>('lti_self_tests')
  for (const { _id, checks } of await tests.find({ 'checks.said': { $exists: true } }).toArray()) {
    const renamed = checks.map(({ said, mend, parts, ...check }) => ({
      ...check,
      message: said,
      fix: mend,
      parts: parts.map(({ said: message, ...part }) => ({ ...part, message })),
    }))
    await tests.updateOne({ _id }, { $set: { checks: renamed as never } })
  }
}
