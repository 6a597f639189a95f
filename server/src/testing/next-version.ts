import { updateInBatches } from '../migrations/migration.ts'
import { migrations } from '../migrations/migrations.ts'

migrations['9000-of-the-next-version'] = {
  compatibleWith: process.env.NEXT_MIGRATION === 'all' ? 'all' : 'none',
  run: (db, signal) =>
    updateInBatches(db.collection('users'), { next: { $exists: false } }, () => ({ $inc: { next: 1 } }), signal),
}
