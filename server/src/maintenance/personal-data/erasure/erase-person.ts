import { DeferJob } from '../../../lib/jobs/job.ts'
import { ErasureModel } from '../../../records/people/erasure.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { removeUnreferencedFile } from '../../sweep-orphans.ts'
import { inventory, modelNamed } from '../personal-data-inventory.ts'
import { closeAccounts, recordErasure } from './erase-account.ts'
import { eraseOutbox } from './erase-by-address.ts'
import { erasePapers, retainGrades } from './erase-papers.ts'
import type { ErasureTask, StepName } from './erasure-rule.ts'
import { findErasure } from './erasures.ts'

interface ErasureStep {
  name: StepName
  doing: string
  waits?: true
  /** Before the inventory's rules of this step. */
  first?(task: ErasureTask): Promise<void>
}

async function close(task: ErasureTask): Promise<void> {
  await closeAccounts(task)
  await recordErasure(task)
}

/** Another upload of the same content may be about to refer to a new file. */
const FILE_WAIT_MS = 10 * 60 * 1000

/** Only if in nobody else's paper; what was read from them too. @throws {DeferJob} while one is too new */
async function eraseFiles({ erasure, services, signal }: ErasureTask): Promise<void> {
  let waiting = 0
  for (const hash of erasure.file_hashes) {
    signal.throwIfAborted()
    if ((await removeUnreferencedFile(hash, services)) === 'too-new') waiting++
  }
  if (waiting > 0) throw new DeferJob(FILE_WAIT_MS, `${waiting} files were stored a moment ago`)
}

/**
 * Each may run twice. New ones go last, as progress is stored as a count. Names go late, as earlier steps look for
 * them; papers after closing the account and the LMS, so that nothing is added.
 */
export const steps: ErasureStep[] = [
  { name: 'close', doing: 'Closing the account', first: close },
  { name: 'lms', doing: 'Forgetting who it is in the LMS' },
  { name: 'scores', doing: 'Keeping released scores without a name', first: retainGrades },
  { name: 'papers', doing: 'Deleting papers and grades', first: erasePapers },
  { name: 'memberships', doing: 'Leaving courses' },
  { name: 'teaching', doing: 'Handing over teaching' },
  { name: 'mail', doing: 'Deleting mail', first: eraseOutbox },
  { name: 'audit', doing: 'Removing words from the audit log' },
  { name: 'account', doing: 'Removing the name' },
  { name: 'files', doing: 'Deleting files, each once it is an hour old', first: eraseFiles, waits: true },
]

/** Continues where it was. @throws {DeferJob} while a file is too new */
export async function erasePerson(userId: number, services: Services, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const task = await loadTask(userId, services, signal)
    if (task?.erasure.state !== 'running') return
    const step = steps[task.erasure.step]
    if (!step) {
      const $set = { state: 'done' as const, finished_at: services.clock.now(), submission_ids: [], file_hashes: [] }
      await ErasureModel.updateOne({ _id: userId }, { $set })
      return
    }
    await step.first?.(task)
    // The step's `first` finds and stores the papers.
    await applyRules(step.name, (await loadTask(userId, services, signal)) ?? task)
    await ErasureModel.updateOne({ _id: userId }, { $set: { step: task.erasure.step + 1 } })
  }
}

async function loadTask(userId: number, services: Services, signal: AbortSignal): Promise<ErasureTask | null> {
  const erasure = await findErasure(userId)
  if (!erasure) return null
  const accounts = await UserModel.find({ _id: { $in: erasure.account_ids } }).lean()
  return { erasure, accounts, services, signal }
}

async function applyRules(step: StepName, task: ErasureTask): Promise<void> {
  for (const [modelName, { erase }] of Object.entries(inventory)) {
    if (typeof erase !== 'object') continue
    for (const rule of erase[step] ?? []) {
      task.signal.throwIfAborted()
      await rule(task, modelNamed(modelName))
    }
  }
}
