import type { TObject } from 'typebox';
import type { Profile } from '../endpoints/endpoint.ts';
import type { DescribedParameter } from './faces/openapi.ts';
import type { Route } from './route.ts';

/** A part of the service that is not an endpoint of the dataset, declared as those are: with what describes it. */
export type Action = Route & {
  tag: 'Data' | 'Jobs' | 'Service' | 'Tiles' | 'Account' | 'Admin';
  summary: string;
  description?: string;
  /** Whether its answer depends on the profile. */
  hasProfiles?: boolean;
  /** Whether it needs the owner's code where the key has one. */
  needsOwner?: boolean;
  /** Its parameters, where they are more than names in the path. */
  parameters?: readonly DescribedParameter[];
  /** Media types of its answers, where they are not JSON but bytes. */
  media?: readonly string[];
  /** The JSON body it takes. */
  body?: TObject;
  example?: object;
  /** Answers by status; one, or one for each profile. */
  answers: Readonly<Record<number, TObject | Record<Profile, TObject>>>;
  /** Statuses of problems besides 414 and 500, which every path has. */
  errors: readonly number[];
};
