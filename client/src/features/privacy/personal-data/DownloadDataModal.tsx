import type { ManagedUser } from '@assay/shared/admin.ts'
import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { exportUserData } from '@assay/shared/personal-data.ts'
import { Button, Loader, Modal } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { CancelButton, SecondaryButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { type CallInput, fetchFileInPieces } from '../../../lib/api/call-api.ts'
import { saveBlob } from '../../../lib/files/save-blob.ts'
import { formatBytes } from '../../../lib/format.ts'
import classes from './PersonalData.module.css'

export function DownloadDataModal({ user, close }: { user: ManagedUser; close: () => void }) {
  const download = useDataDownload(exportUserData, { params: { userId: user.id } }, user.id)
  return (
    <Modal opened onClose={close} title={`Download data of ${user.username}`}>
      <div className={classes.body}>
        <p>
          A ZIP file with the account, courses, papers and grades. It has more in it than {user.username}’s own
          download: suggestions and feedback that are not released. Check what you hand on.
        </p>
        <p>The audit log records that you downloaded it.</p>
        <DataDownloadStatus download={download} />
        <div className="button-row at-end">
          <SecondaryButton onClick={close}>Close</SecondaryButton>
          <Button disabled={download.bytes !== null} onClick={() => void download.start()}>
            Download data
          </Button>
        </div>
      </div>
    </Modal>
  )
}

export function DataDownloadStatus({ download }: { download: DataDownload }) {
  const { bytes, saved, failure, cancel } = download
  return (
    <>
      {/* Always present, so that screen readers announce what is added. */}
      <div role="status">
        {bytes !== null && (
          <div className={classes.underWay}>
            <Loader size={18} aria-hidden />
            <span className={classes.doing}>
              {bytes === 0 ? 'Collecting data and papers…' : `Downloading… ${formatBytes(bytes)}`}
            </span>
            <CancelButton size="xs" onClick={cancel} />
          </div>
        )}
        {saved && <p className="plain">Downloaded. Unpack the ZIP file to open the papers and data.json.</p>}
      </div>
      {failure && <Notice tone="bad">{failure}</Notice>}
    </>
  )
}

export type DataDownload = ReturnType<typeof useDataDownload>

export function useDataDownload<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallInput<P, Q, B>,
  userId: number,
) {
  const [bytes, setBytes] = useState<number | null>(null)
  const [saved, setSaved] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    const mine = new AbortController()
    running.current = mine
    setBytes(0)
    setSaved(false)
    setFailure(null)
    let sum = 0
    try {
      const file = await fetchFileInPieces(endpoint, { ...input, signal: mine.signal, retry: false }, (piece) => {
        sum += piece.length
        setBytes(sum)
      })
      saveBlob(file, `assay_data_${userId}.zip`)
      setSaved(true)
    } catch (error) {
      if (!mine.signal.aborted) setFailure(messageOf(error, 'The download failed. Please try again.'))
    } finally {
      running.current = null
      setBytes(null)
    }
  }
  return { bytes, saved, failure, start, cancel: () => running.current?.abort() }
}
