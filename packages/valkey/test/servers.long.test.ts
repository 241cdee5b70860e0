/** What every engine that keeps keys and sign-ups has to do, on a real Valkey or Redis server and on a cluster. */
import { keyStoreCases } from '../../../test/keys/key-store-cases.ts';
import { quotaCases } from '../../../test/keys/quota-cases.ts';
import { signUpCases } from '../../../test/keys/sign-ups-cases.ts';
import { serverEngines } from './support/server-engines.ts';

keyStoreCases(serverEngines);
quotaCases(serverEngines);
signUpCases(serverEngines);
