import { UserModel } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { blankAccounts, closeAccounts, recordErasure } from './erase-account.ts'
import { eraseAudit } from './erase-audit.ts'
import { eraseFiles } from './erase-files.ts'
import { eraseLmsRecords } from './erase-lms.ts'
import { eraseMail } from './erase-mail.ts'
import { eraseMemberships } from './erase-memberships.ts'
import { erasePapers, retainGrades } from './erase-papers.ts'
import type { ErasureTask } from './erasure-task.ts'
import { findErasure, storeFinished, storeStep } from './erasures.ts'
import { leaveCourses } from './leave-courses.ts'

interface ErasureStep {
  /** For people, while it is under way. */
  doing: string
  /** It may wait for minutes. */
  waits?: true
  run(task: ErasureTask): Promise<void>
}

async function close(task: ErasureTask): Promise<void> {
  await closeAccounts(task)
  await recordErasure(task)
}

/**
 * Each may run twice. What names the person goes last but one, as earlier steps look for it. Nothing may be added to what the person has
 * once the account is closed and the LMS does not know it any more; so papers come after both.
 */
export const steps: ErasureStep[] = [
  { doing: 'Closing the account', run: close },
  { doing: 'Forgetting who it is in the LMS', run: eraseLmsRecords },
  { doing: 'Keeping released scores without a name', run: retainGrades },
  { doing: 'Deleting papers and grades', run: erasePapers },
  { doing: 'Leaving courses', run: eraseMemberships },
  { doing: 'Handing over teaching', run: leaveCourses },
  { doing: 'Deleting mail', run: eraseMail },
  { doing: 'Removing words from the audit log', run: eraseAudit },
  { doing: 'Removing the name', run: blankAccounts },
  { doing: 'Deleting files, each once it is an hour old', run: eraseFiles, waits: true },
]

/** From where it was. @throws {DeferJob} while a file is too new to be deleted */
export async function erasePerson(userId: number, services: Services, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const erasure = await findErasure(userId)
    if (erasure?.state !== 'running') return
    const step = steps[erasure.step]
    if (!step) return storeFinished(userId, services.clock.now())
    const accounts = await UserModel.find({ _id: { $in: erasure.account_ids } }).lean()
    await step.run({ erasure, accounts, services, signal })
    await storeStep(userId, erasure.step + 1)
  }
}
