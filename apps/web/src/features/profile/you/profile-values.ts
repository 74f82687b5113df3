import type { Me } from '@milepost/contract';

/** Values of the profile form. */
export interface ProfileValues {
  readonly displayName: string;
  readonly gender: string;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
}

type Person = Pick<Me, 'displayName' | 'gender' | 'email' | 'phone'>;

export const profileValues = ({ displayName, gender, email, phone }: Person): ProfileValues => ({
  displayName,
  gender: String(gender),
  email: email ?? '',
  phone: phone ?? '',
  password: '',
});

/** Only changed fields. Changing an address needs the password, so that nobody can take over an unattended session. */
export function profileChange(person: Person, values: ProfileValues) {
  const before = profileValues(person);
  const changed = (name: keyof ProfileValues) => values[name] !== before[name];
  return {
    ...(changed('displayName') && { displayName: values.displayName }),
    ...(changed('gender') && { gender: Number(values.gender) }),
    ...(changed('email') && { email: values.email }),
    ...(changed('phone') && { phone: values.phone }),
    ...((changed('email') || changed('phone')) && { password: values.password }),
  };
}
