import type { ManagedUser } from '@assay/shared/admin.ts'
import { exportUserData } from '@assay/shared/personal-data.ts'
import { Button, Modal } from '@mantine/core'
import { SecondaryButton } from '../../components/display/buttons.tsx'
import { DataDownloadStatus } from './DataDownloadStatus.tsx'
import classes from './PersonalData.module.css'
import { useDataDownload } from './useDataDownload.ts'

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
