import { getSeparatorSheets, MOST_SEPARATOR_SHEETS } from '@assay/shared/printing.ts'
import { Button, NumberInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Notice } from '../../components/feedback/Notice.tsx'
import { downloadFile } from '../../lib/api/api-hooks.ts'
import { useAttempt } from '../../lib/api/useAttempt.ts'
import classes from './PrintModal.module.css'

/** For papers that were printed without codes. */
export function SeparatorSheets({ assignmentId }: { assignmentId: number }) {
  const [sheets, setSheets] = useState<number | string>(30)
  const { attempt, busy, failure } = useAttempt('The separator sheets could not be made. Please try again.')

  const query = { sheets: typeof sheets === 'number' ? sheets : 1 }
  const download = () =>
    attempt(() => downloadFile(getSeparatorSheets, { params: { assignmentId }, query }, 'separator-sheets.pdf'))

  return (
    <section className={classes.stack} aria-label="Separator sheets">
      <h3 className={classes.heading}>Separator sheets</h3>
      <p className={classes.words}>
        For papers without codes: place a separator sheet before each paper, and a class scan is split at them. They can
        be used again for any exam.
      </p>
      <NumberInput
        label="Number of sheets"
        min={1}
        max={MOST_SEPARATOR_SHEETS}
        allowDecimal={false}
        value={sheets}
        onChange={setSheets}
      />
      {failure && <Notice tone="bad">{failure}</Notice>}
      <Button
        variant="default"
        onClick={() => void download()}
        loading={busy}
        disabled={typeof sheets !== 'number'}
        leftSection={<IconDownload size={18} aria-hidden />}
      >
        Download separator sheets
      </Button>
    </section>
  )
}
