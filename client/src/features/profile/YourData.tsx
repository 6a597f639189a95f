import { exportOwnData } from '@assay/shared/personal-data.ts'
import type { Profile } from '@assay/shared/profile.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useLaunch } from '../../lib/session/launch.ts'
import { DataDownloadStatus } from '../personal-data/DataDownloadStatus.tsx'
import { DeleteOwnAccountModal } from '../personal-data/DeleteOwnAccountModal.tsx'
import classes from '../personal-data/PersonalData.module.css'
import { useDataDownload } from '../personal-data/useDataDownload.ts'
import card from './ProfilePage.module.css'

/** A copy of all that is stored about somebody, and the end of their account. */
export function YourData({ profile }: { profile: Profile }) {
  return (
    <section className={card.card} aria-labelledby="your-data">
      <div className={card.head}>
        <h2 id="your-data">Your data</h2>
      </div>
      <Download userId={profile.id} />
      <Deletion profile={profile} />
    </section>
  )
}

function Download({ userId }: { userId: number }) {
  const download = useDataDownload(exportOwnData, {}, userId)
  return (
    <div className={classes.part}>
      <p className={classes.text}>
        A ZIP file with what Assay stores about you and may show you: your account, courses, papers and released grades.
      </p>
      <Button size="sm" variant="default" disabled={download.bytes !== null} onClick={() => void download.start()}>
        Download my data
      </Button>
      <DataDownloadStatus download={download} />
    </div>
  )
}

function Deletion({ profile }: { profile: Profile }) {
  const [asking, setAsking] = useState(false)
  const launch = useLaunch()
  const lms = launch?.platform.name ?? 'your LMS'
  if (profile.from_lms) {
    return (
      <div className={classes.part}>
        <p className={classes.text}>
          You cannot delete this account yourself, because {lms} created it and would create it again. Ask your school,
          or an administrator of Assay, to delete it.
        </p>
      </div>
    )
  }
  if (launch) {
    return (
      <div className={classes.part}>
        <p className={classes.text}>
          You cannot delete your account from {lms}. Sign in to Assay with your password in a tab of its own, and delete
          it in your profile there, or ask an administrator of Assay.
        </p>
      </div>
    )
  }
  return (
    <div className={classes.part}>
      <p className={classes.text}>
        Deletes your account, your papers and everything that names you. Scores that were released to you stay with your
        school, without your name.
      </p>
      <Button size="sm" variant="default" className={classes.delete} onClick={() => setAsking(true)}>
        Delete my account…
      </Button>
      {asking && <DeleteOwnAccountModal profile={profile} close={() => setAsking(false)} />}
    </div>
  )
}
