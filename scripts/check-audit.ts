/**
 * Checks that nothing in the audit log was changed or removed: `npm run check-audit`, also while Assay runs. With `-- --head HASH`, that the
 * seal with that hash, noted earlier, is still there.
 */
import { BSON } from 'bson'
import type { AuditDoc } from '../server/src/audit/audit.service.ts'
import { type AuditSealDoc, createSealKey } from '../server/src/audit/audit-seal.ts'
import { checkAudit } from '../server/src/audit/check-audit.ts'
import { readStorageConfig } from '../server/src/config.ts'
import { OperatorError } from '../server/src/lib/operator-error.ts'
import type { DatabaseReader } from '../server/src/maintenance/backup/database-reader.ts'
import { openDatabaseReader } from '../server/src/maintenance/backup/open-database-reader.ts'
import { count, exitWithUsage, runCommand } from './lib/run-command.ts'

const [flag, head, ...rest] = process.argv.slice(2)
if ((flag !== undefined && (flag !== '--head' || !head)) || rest.length > 0)
  exitWithUsage('npm run check-audit [-- --head HASH]')

async function* documentsOf<T>({ collections, documents }: DatabaseReader, name: string): AsyncGenerator<T> {
  if (!collections.some((collection) => collection.name === name)) return
  for await (const bytes of documents(name)) yield BSON.deserialize(bytes) as T
}

await runCommand(async () => {
  const config = readStorageConfig(process.env)
  if (!config.secretKey) throw new OperatorError('SECRET_KEY is not set, and there is none in the data folder.')
  const reader = await openDatabaseReader(config)
  try {
    const result = await checkAudit(
      {
        seals: () => documentsOf<AuditSealDoc>(reader, 'audit_seals'),
        entries: () => documentsOf<AuditDoc>(reader, 'audit'),
      },
      [config.secretKey, config.previousSecretKey].flatMap((key) => (key === null ? [] : [createSealKey(key)])),
      head,
    )
    const { entries, seals, unsealed, erased, problems } = result
    const notes = [
      ...(unsealed > 0 ? [`${unsealed} not sealed yet`] : []),
      ...(erased > 0 ? [`${erased} without words, as the people were deleted`] : []),
    ]
    console.log(
      `Entries in the audit log: ${entries}, in ${count(seals, 'seal')}${notes.map((note) => `, ${note}`).join('')}.`,
    )
    if (result.head) console.log(`Newest seal: ${result.head}`)
    if (problems.length > 0) throw new OperatorError(problems.join('\n'))
    console.log('Nothing was changed.')
  } finally {
    await reader.close()
  }
})
