import { type Platform, rotatePlatformKey } from '@assay/shared/lti/lti-platforms.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import classes from './Lms.module.css'

interface Props {
  platform: Platform
  changed: (after: Platform) => void
}

/** The key Assay signs with towards this LMS, and those before it that are published yet. */
export function KeyPanel({ platform, changed }: Props) {
  const [asking, setAsking] = useState(false)
  const rotate = useSend(rotatePlatformKey)
  const { key, earlier_keys } = platform

  async function confirm() {
    changed(await rotate.send({ params: { platformId: platform.id } }))
    toast.success('The new key is in use.')
  }

  return (
    <Panel
      title="Key"
      actions={
        <Button variant="default" onClick={() => setAsking(true)}>
          Create a new key
        </Button>
      }
    >
      <dl className={classes.facts}>
        <dt>In use</dt>
        <dd>
          <code>{key.kid}</code>, since {formatDate(key.created_at)}
        </dd>
        {earlier_keys.map((one) => (
          <RetiredKey key={one.kid} {...one} />
        ))}
      </dl>
      <ConfirmModal
        opened={asking}
        close={() => setAsking(false)}
        title="Create a new key?"
        confirmLabel="Create key"
        onConfirm={confirm}
      >
        <p>
          Assay signs with the new key immediately. The old public key stays published for a week. An LMS that has the
          key set URL picks up the new key automatically.
        </p>
      </ConfirmModal>
    </Panel>
  )
}

function RetiredKey({ kid, gone_at }: Platform['earlier_keys'][number]) {
  return (
    <>
      <dt>Before</dt>
      <dd>
        <code>{kid}</code>, published until {formatDateTime(gone_at)}
      </dd>
    </>
  )
}
