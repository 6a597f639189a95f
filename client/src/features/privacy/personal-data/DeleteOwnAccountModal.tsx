import { type ErasurePreview, eraseOwnAccount, previewOwnErasure } from '@assay/shared/personal-data.ts'
import type { Profile } from '@assay/shared/profile.ts'
import { Button, Modal, Skeleton } from '@mantine/core'
import { CancelButton, SecondaryButton } from '../../../components/display/buttons.tsx'
import { PasswordField } from '../../../components/display/PasswordField.tsx'
import { ErrorNotice } from '../../../components/feedback/Notice.tsx'
import { Loaded } from '../../../components/layout/Page.tsx'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { ErasureBlockers, ErasureSummary } from './ErasureSummary.tsx'
import classes from './PersonalData.module.css'

interface Props {
  profile: Profile
  close: () => void
}

export function DeleteOwnAccountModal({ profile, close }: Props) {
  const preview = useGet(previewOwnErasure)
  return (
    <Modal opened onClose={close} size="lg" title="Delete your account?">
      <Loaded
        query={preview}
        skeleton={<Skeleton height={280} radius="md" role="status" aria-label="Loading what would be deleted" />}
      >
        {(data) =>
          data.blockers.length > 0 ? (
            <div className={classes.body}>
              <ErasureBlockers blockers={data.blockers} />
              <div className="button-row at-end">
                <SecondaryButton onClick={close}>Close</SecondaryButton>
              </div>
            </div>
          ) : (
            <ConfirmForm preview={data} profile={profile} close={close} />
          )
        }
      </Loaded>
    </Modal>
  )
}

function ConfirmForm({ preview, profile, close }: Props & { preview: ErasurePreview }) {
  const session = useSession()
  const { send } = useSend(eraseOwnAccount)
  const form = useContractForm(eraseOwnAccount, { initialValues: { password: '' }, toBody: (values) => values })
  const submit = form.submit(async (body) => {
    await send({ body })
    session.leaveDeletedAccount()
  })
  return (
    <form className={classes.body} onSubmit={submit} noValidate>
      <ErasureSummary preview={preview} role={profile.role} self />
      <p>You are signed out everywhere at once. This cannot be undone.</p>
      <input type="hidden" name="username" autoComplete="username" value={profile.username} readOnly />
      <PasswordField
        label={`Password of ${profile.username}`}
        autoComplete="current-password"
        required
        {...form.getInputProps('password')}
      />
      <ErrorNotice error={form.failure} fallback="Your account could not be deleted. Please try again." />
      <div className="button-row at-end">
        <CancelButton onClick={close} disabled={form.submitting} />
        <Button type="submit" color="red.8" loading={form.submitting}>
          Delete my account
        </Button>
      </div>
    </form>
  )
}
