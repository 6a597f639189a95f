import { updateInBatches } from '../migrations/migration.ts'
import { migrations } from '../migrations/migrations.ts'

/** Preloaded into a process (`--import`), this makes it one of a version that has one migration more. See `nextVersion`. */
migrations['9000-of-the-next-version'] = {
  compatibleWith: process.env.NEXT_MIGRATION === 'all' ? 'all' : 'none',
  run: (db, signal) =>
    updateInBatches(db.collection('users'), { next: { $exists: false } }, () => ({ $inc: { next: 1 } }), signal),
}
